function parse(turns) {
  let sum = 0;
  for (let i = 0; i < turns * 1e6; i++) sum += Math.sqrt(i);
  return sum;
}

for (let i = 0; i < 100; i++) parse(1);

"""Recordings of perf, of programs that most machines have: compilers, interpreters, pipes, and C++
with frame pointers and inlined functions. perf ends each recording at its size."""
import contextlib
import os
import signal
import subprocess

FRAMES_MB, STACKS_MB = 100, 600  # size of recordings with the kernel's call chains, and of recordings with copied stacks
SLOW_MB = 8                      # size of a recording for perf with inlined functions, which may take minutes
FEW = 0.025                      # share of a recording for a small one: 25,000 of a million samples
LEAST_KB = 200                   # least size of a recording, so that it has some samples
SELDOM, OFTEN = 4000, 40000       # samples a second

SOURCE = r'''
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <class T> struct digest { T sum{}; void add(const T &v) { sum = sum * 31 + v; } };
__attribute__((noinline)) static long sorted(int n) {
	std::vector<long> v(n);
	for (int i = 0; i < n; i++) { v[i] = i * 7919L % n; }
	std::sort(v.begin(), v.end(), [](long x, long y) { return (x ^ 0x5a5) < (y ^ 0x5a5); });
	return v[n / 2];
}
__attribute__((noinline)) static long counted(int n) {
	std::map<std::string, long> m;
	digest<long> d;
	for (int i = 0; i < n; i++) { m[std::to_string(i % 997)] += i; d.add(i); }
	return d.sum + (long)m.size();
}
__attribute__((noinline)) static long nested(int n, int depth) {
	long sum = depth % 2 ? sorted(n) : counted(n);
	return depth > 0 ? sum + nested(n, depth - 1) : sum;
}
int main() { return nested(20000, 30) == 42; }
'''
WORK = r'''
c++ -O2 -g -fno-omit-frame-pointer work.cpp -o work
while :; do
	for i in 1 2 3; do ./work; done
	c++ -O2 -g -c work.cpp -o work.o
	python3 -c 'print(sum(sorted(str(i) for i in range(200000)).index(str(k)) for k in range(20)))'
	perl -e 'my %h; for (1..600000) { $h{$_ % 5003} .= "x$_" } print length(join ",", values %h), "\n"'
	head -c 3000000 /dev/urandom | sort | md5sum
done
'''


class Recordings:
	def __init__(self, folder, size):
		self.folder = folder
		self.size = size / 1000  # factor for all sizes

	def made(self, name, mb, frequency, *options):
		"""Returns the path of a recording of so many MB."""
		path = os.path.join(self.folder, name)
		if os.path.exists(path):
			return path
		with open(os.path.join(self.folder, 'work.cpp'), 'w', encoding='utf-8') as source:
			source.write(SOURCE)
		size = '%.0fK' % max(mb * self.size * 1e3, LEAST_KB)
		with subprocess.Popen(['perf', 'record', '-q', '-N', '-F', str(frequency), '--max-size', size, *options, '-o', name, '--',
				'sh', '-c', WORK], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
				stderr=subprocess.DEVNULL, start_new_session=True) as perf:
			perf.wait()  # perf ends the shell by a signal, but not the programs that the shell runs
		with contextlib.suppress(ProcessLookupError):
			os.killpg(perf.pid, signal.SIGKILL)
		return path

	def frames(self, part=1):
		"""About a million samples with their call chains."""
		return self.made('frames-%g.data' % part, FRAMES_MB * part, OFTEN, '-g')

	def stacks(self, part=1):
		"""Samples with a copy of the stack each, to be unwound."""
		return self.made('stacks-%g.data' % part, STACKS_MB * part, SELDOM, '--call-graph', 'dwarf')

	def slow(self):
		"""Returns a recording with only a few samples."""
		return self.made('slow.data', SLOW_MB, SELDOM, '--call-graph', 'dwarf')

// Many small functions, inlined into one another.
use std::collections::{BTreeMap, HashMap};

fn main() {
    let mut words: HashMap<String, Vec<u64>> = HashMap::new();
    for i in 0..10000u64 {
        words.entry(format!("k{}", i * 7919 % 977)).or_default().push(i);
    }
    let mut sums: BTreeMap<_, _> = words
        .iter()
        .map(|(word, numbers)| (word.clone(), numbers.iter().map(|x| x ^ 3).filter(|x| x % 3 == 0).sum::<u64>()))
        .collect();
    sums.retain(|_, sum| *sum > 5);
    let mut sorted: Vec<_> = sums.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    println!("{:?}", &sorted[..3]);
}

#[inline(never)]
fn parse(turns: u64) -> f64 {
    (0..turns * 1_000_000).map(|i| (i as f64).sqrt()).sum()
}

fn main() {
    let sum: f64 = (0..200).map(|_| std::hint::black_box(parse(1))).sum();
    println!("{sum}");
}

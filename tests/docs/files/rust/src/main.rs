#[inline(never)]
fn parse(turns: u64) -> f64 {
    (0..turns * 1_000_000).map(|i| (i as f64).sqrt()).sum()
}

fn main() {
    let sum: f64 = (0..70).map(|_| parse(std::env::args().count() as u64)).sum();
    println!("{sum}");
}

#[test]
fn sums() {
    println!("{}", (0..30_000_000u64).fold(7, |sum, n| sum ^ (sum << 3) ^ n));
}

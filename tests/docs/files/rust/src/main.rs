#[inline(never)]
fn parse(turns: u64) -> f64 {
    (0..turns * 1_000_000).map(|i| (i as f64).sqrt()).sum()
}

fn main() {
    let sum: f64 = (0..200).map(|_| parse(std::env::args().count() as u64)).sum();
    println!("{sum}");
}

#[test]
fn it() {
    println!("{}", (0..30_000_000u64).fold(7, |sum, n| sum ^ (sum << 3) ^ n));
}

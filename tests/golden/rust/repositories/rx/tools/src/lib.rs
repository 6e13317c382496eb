pub fn sharpen(n: usize) -> usize {
    n
}

pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> i32 {
        add(1, 1)
    }

    #[test]
    fn adds() {
        assert_eq!(two(), 2);
        assert_eq!(add(2, 2), 4);
    }
}

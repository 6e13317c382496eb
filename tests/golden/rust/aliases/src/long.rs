pub fn compute() -> u32 {
    LIMIT
}

pub const LIMIT: u32 = 3;

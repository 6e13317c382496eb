pub struct Counter {
    count: u32,
}

impl Counter {
    pub fn new() -> Self {
        Self { count: 0 }
    }

    pub fn add(&mut self, n: u32) -> u32 {
        self.bump(n);
        Self::limit();
        self.count
    }

    fn bump(&mut self, n: u32) {
        self.count += n;
    }

    fn limit() -> u32 {
        3
    }
}

pub fn make() {
    let mut c = Counter::new();
    c.add(1);
    let d: &Counter = &c;
    d.count;
}

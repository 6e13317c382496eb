pub struct Tree {
    pub size: usize,
}

pub trait Visit {
    fn visit(&self);
}

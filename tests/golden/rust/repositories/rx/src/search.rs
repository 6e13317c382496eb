#[derive(Clone, Copy)]
pub struct Match {
    pub at: usize,
}

impl Match {
    pub fn start(&self) -> usize {
        self.at
    }
}

pub struct Error;

impl Error {
    pub fn syntax_error(&self) -> Option<&Inner> {
        None
    }
}

pub struct Inner;

impl Inner {
    pub fn line(&self) -> usize {
        0
    }
}

use crate::search::{Error, Match};

pub struct Regex;

pub struct Builder {
    size: usize,
}

pub struct Found {
    n: usize,
}

impl Regex {
    pub fn new(text: &str) -> Result<Regex, Error> {
        Ok(Regex)
    }

    pub fn builder() -> Builder {
        Builder { size: 0 }
    }

    pub fn find<'h>(&self, text: &'h str) -> Option<Match> {
        None
    }

    pub fn find_all(&self, text: &str) -> Found {
        Found { n: 0 }
    }
}

impl Builder {
    pub fn size(mut self, n: usize) -> Builder {
        self
    }

    pub fn build(&self) -> Result<Regex, Error> {
        Ok(Regex)
    }
}

impl Iterator for Found {
    type Item = Match;

    fn next(&mut self) -> Option<Match> {
        None
    }
}

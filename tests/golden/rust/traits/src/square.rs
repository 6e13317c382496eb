use crate::shape::{Shape, Solid};

pub struct Square {
    side: f64,
}

impl Shape for Square {
    fn area(&self) -> f64 {
        self.side
    }
}

impl Solid for Square {
    fn volume(&self) -> f64 {
        self.area()
    }
}

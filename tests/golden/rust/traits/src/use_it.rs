use crate::shape::Shape;
use crate::square::Square;

pub fn total(shape: &dyn Shape, square: &Square) -> f64 {
    shape.area() + square.twice()
}

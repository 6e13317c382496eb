pub trait Shape {
    fn area(&self) -> f64;

    fn twice(&self) -> f64 {
        self.area() * 2.0
    }
}

pub trait Solid: Shape {
    fn volume(&self) -> f64;
}

pub struct A;

impl A {
    pub fn go(&self) {}
}

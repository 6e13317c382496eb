pub struct B;

impl B {
    pub fn go(&self) {}
}

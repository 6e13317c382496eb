pub trait Writer {
    fn write(&self);
}

pub mod ser;

pub trait Reader {
    fn read(&self);
}

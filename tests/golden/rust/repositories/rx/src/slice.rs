pub trait Slices {
    fn as_text(&self) -> &str;
}

impl Slices for [u8] {
    fn as_text(&self) -> &str {
        ""
    }
}

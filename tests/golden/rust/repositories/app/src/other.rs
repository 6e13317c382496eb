use super::Own;

pub fn make() -> Own {
    self::Inner::of();
    Own
}

struct Inner;

impl Inner {
    fn of() -> Inner {
        Inner
    }
}

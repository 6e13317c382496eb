//! The users of the shop.

use std::fmt;

/// A user.
///
/// Has a name.
#[derive(Debug, Clone)]
pub struct User<T> {
    /// Its name.
    pub name: String,
    age: u32,
    extra: T,
}

pub struct Meters(pub f64);

struct Unit;

/// What can be stored.
pub trait Storable: fmt::Debug {
    const TABLE: &'static str;
    type Key;

    fn key(&self) -> Self::Key;

    /// Saves it.
    fn save(&self) -> bool {
        true
    }
}

#[derive(Debug)]
pub enum Event {
    Created,
    Renamed { from: String, to: String },
    Moved(i32, i32),
}

impl<T: Clone> User<T> {
    pub const LIMIT: usize = 3;

    /// Makes one.
    #[inline]
    pub fn new(name: &str, extra: T) -> Self {
        fn clean(s: &str) -> String {
            s.trim().to_string()
        }
        User { name: clean(name), age: 0, extra }
    }

    fn age(&self) -> u32 {
        self.age
    }
}

impl<T> fmt::Display for User<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl<'a, T> From<&'a User<T>> for crate::db::Row<'a> {
    fn from(u: &'a User<T>) -> Self {
        todo!()
    }
}

pub type Users = Vec<User<()>>;

pub const MAX: usize = 10;
static COUNTER: u32 = 0;

#[macro_export]
macro_rules! user {
    ($name:expr) => {
        User::new($name, ())
    };
}

pub(crate) async fn load<P: AsRef<str>>(path: P) -> Result<Users, Error>
where
    P: Send,
{
    let double = |x: i32| x * 2;
    Err(Error)
}

mod other;

pub mod inner {
    pub fn visible() {}
    fn private() {}

    pub struct Deep;

    impl Deep {
        pub fn go(&self) {}
    }
}

extern "C" {
    fn strlen(s: *const u8) -> usize;
}

union Bits {
    i: u32,
    f: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> User<()> {
        User::new("a", ())
    }

    #[test]
    fn makes_one() {
        assert_eq!(fixture().age(), 0);
    }

    #[tokio::test]
    async fn loads() {}
}

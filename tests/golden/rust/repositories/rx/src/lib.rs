pub use crate::search::*;
pub use crate::meta::Regex as Rx;

pub mod meta;
mod search;
pub mod slice;

pub mod prelude {
    pub use crate::slice::Slices;
}

pub mod db;
mod app;
pub use crate::db::User;
pub use db::users::Repo as Store;

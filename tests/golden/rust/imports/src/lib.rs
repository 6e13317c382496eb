pub mod db;
pub mod shop;

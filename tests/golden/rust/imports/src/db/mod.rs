pub mod users;

pub fn connect() {}

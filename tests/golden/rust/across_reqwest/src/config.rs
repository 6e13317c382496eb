use std::env;

pub const USERS: &str = "http://users:8080/api";

pub fn orders_url() -> String {
    env::var("ORDERS_URL").unwrap_or("http://orders:3000".into())
}

pub struct Endpoints {
    pub stock: String,
}

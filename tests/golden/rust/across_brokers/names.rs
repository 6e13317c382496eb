pub const EXCHANGE: &str = "events";
pub const CREATED: &str = "orders.created";

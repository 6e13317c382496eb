mod client;
mod config;

fn main() {}

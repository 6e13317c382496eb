use crate::store::HttpClient;
use aws_sdk_s3::Client as S3Client;

pub trait Carts {
    fn get_cart(&self, request: Request) -> Cart;
}

pub struct Memory;

impl Carts for Memory {
    fn get_cart(&self, request: Request) -> Cart {
        Cart {}
    }
}

impl Iterator for Memory {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        None
    }
}

pub async fn run() {
    let client = HttpClient::new("http://carts");
    client.get_cart(1).await;
    let s3 = S3Client::new(&config);
    s3.get_object().send().await;
    let redis = redis::Client::open("redis://x");
    redis.get_connection();
}

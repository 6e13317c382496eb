use crate::config::{orders_url, USERS};
use reqwest::{Client, Response};

pub struct Gateway {
    http: Client,
}

impl Gateway {
    async fn fetch(&self, path: &str) -> Result<Response, Error> {
        self.http.get(format!("{}{}", USERS, path)).send().await
    }

    pub async fn user(&self, id: u64) -> Result<Response, Error> {
        self.fetch(&format!("/users/{}", id)).await
    }

    pub async fn users(&self) -> Result<Response, Error> {
        self.fetch("/users").await
    }

    pub async fn order(&self) -> Result<Response, Error> {
        let base = orders_url();
        self.http.post(format!("{base}/orders")).send().await
    }
}

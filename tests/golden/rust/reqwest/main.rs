use reqwest::{Client, Method};
use std::collections::HashMap;
use std::env;

const BASE: &str = "http://users:8080";

struct Api {
    client: Client,
    base: String,
}

impl Api {
    fn new() -> Self {
        Api {
            client: Client::new(),
            base: env::var("ORDERS_URL").unwrap_or_else(|_| "http://orders:3000".to_string()),
        }
    }

    async fn order(&self, id: u64) -> Result<Order, Error> {
        self.client.get(format!("{}/orders/{}", self.base, id)).send().await?.json().await
    }

    async fn cancel(&self, id: u64) -> Result<(), Error> {
        let url = format!("{base}/orders/{id}", base = self.base);
        self.client.delete(&url).bearer_auth("x").send().await?;
        Ok(())
    }
}

async fn plain(client: &Client, id: u64, map: &HashMap<String, u32>) -> Result<(), Error> {
    reqwest::get("http://users:8080/health").await?;
    let found = client.post(format!("{BASE}/users/{id}")).json(&id).send().await?;
    client.request(Method::PUT, BASE.to_string() + "/users").send().await?;
    let addr: String = format!(
        "{}{}",
        env::var("QUOTE_ADDR")
            .unwrap_or_else(|_| "http://quote:8090".to_string())
            .parse::<String>()
            .expect("no address"),
        "/getquote"
    );
    let mut response = awc::Client::new().post(addr).send_json(&id).await?;
    ureq::get(concat!("http://stock", "/items")).call()?;
    let request = hyper::Request::builder().method(Method::PATCH).uri("http://stock/items/1").body(x)?;
    map.get("/users");
    let kept = response.headers().get("location");
    Ok(())
}

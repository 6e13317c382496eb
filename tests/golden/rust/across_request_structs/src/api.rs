use reqwest::{Client, Method};

#[derive(Default)]
pub struct ApiRequest {
    pub method: Method,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub body: Option<String>,
}

pub struct Api { http: Client, base: String }

impl Api {
    pub async fn send(&self, req: ApiRequest) -> Result<String, reqwest::Error> {
        self.http.request(req.method, format!("{}/api/v1{}", self.base, req.path)).send().await?.text().await
    }
    pub async fn create(&self) -> Result<String, reqwest::Error> {
        self.send(ApiRequest { method: Method::POST, path: "/orders".into(), ..Default::default() }).await
    }
    pub async fn del(&self, id: u64) -> Result<String, reqwest::Error> {
        self.send(ApiRequest { method: Method::DELETE, path: format!("/orders/{}", id), ..ApiRequest::default() }).await
    }
}

use crate::api::{Api, ApiRequest};
use reqwest::Method;

impl Api {
    pub async fn rename(&self, id: u64, body: Option<String>) -> Result<String, reqwest::Error> {
        let path = format!("/orders/{}", id);
        let request = ApiRequest { method: Method::PUT, path, body, ..ApiRequest::default() };
        self.send(request).await
    }
}

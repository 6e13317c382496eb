use reqwest::Client;
pub trait Endpoint {
    fn method(&self) -> reqwest::Method;
    fn path(&self) -> String;
}
pub struct GetUser { pub id: u32 }
impl Endpoint for GetUser {
    fn method(&self) -> reqwest::Method { reqwest::Method::GET }
    fn path(&self) -> String { format!("/users/{}", self.id) }
}
pub struct CreateUser { pub name: String }
impl Endpoint for CreateUser {
    fn method(&self) -> reqwest::Method { reqwest::Method::POST }
    fn path(&self) -> String { "/users".to_string() }
}
pub struct Api { client: Client, base: String }
impl Api {
    pub async fn send<E: Endpoint>(&self, e: E) {
        let url = format!("{}{}", self.base, e.path());
        self.client.request(e.method(), url).send().await;
    }
    pub async fn get_user(&self, id: u32) {
        self.send(GetUser { id }).await;
    }
}

use hyper::{Body, Client, Method, Request, Uri};

const USERS: &str = "http://users:8000";

pub fn with_ureq(id: u32) -> Result<(), ureq::Error> {
    ureq::get(&format!("{}/users/{}", USERS, id)).call()?;
    let agent = ureq::AgentBuilder::new().timeout_read(TIMEOUT).build();
    agent.post("http://users:8000/users").send_json(ureq::json!({ "id": id }))?;
    ureq::request("DELETE", &format!("{USERS}/users/{id}")).call()?;
    ureq::put("http://users:8000/users/1").set("X-Id", "1").send_string("x")?;
    Ok(())
}

pub async fn with_awc(sku: &str) {
    let client = awc::Client::default();
    let response = client.get(format!("http://stock/levels/{}", sku)).insert_header(("Accept", "*")).send().await;
    let awc_client = awc::Client::builder().finish();
    awc_client.post("http://stock/levels").send_json(&level).await;
    client.request(Method::PATCH, "http://stock/levels/1").send().await;
}

pub async fn with_hyper(id: u32) -> Result<(), hyper::Error> {
    let client = Client::new();
    let uri: Uri = format!("http://orders/orders/{}", id).parse().unwrap();
    client.get(uri).await?;
    let request = Request::builder()
        .method(Method::POST)
        .uri("http://orders/orders")
        .header("content-type", "application/json")
        .body(Body::from("{}"))
        .unwrap();
    client.request(request).await?;
    let delete = Request::delete("http://orders/orders/1").body(Body::empty()).unwrap();
    let plain = Request::builder().uri("http://orders/ready").body(Body::empty()).unwrap();
    Ok(())
}

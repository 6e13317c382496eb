//! What reqwest, ureq, awc and hyper do not do: reqwest::get("http://users/users").

use std::collections::HashMap;

fn run(headers: &HeaderMap, store: &mut HashMap<String, String>, session: &Session) {
    headers.get("/users");
    store.get("/users");
    self.cache.get("/users");
    params.get("/id");
    redis_client.get("/users");
    http_headers.get("/users");
    map.get("/x").unwrap();
    let config = Request::builder().build();
    let said = "client.get(\"http://users/users\").send()";
    let value = tree.get("/users").send(1);
    iter.request(1);
}

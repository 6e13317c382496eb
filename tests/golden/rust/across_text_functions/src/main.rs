use reqwest;
const BASE: &str = "http://shop/api";
async fn f1(id: &str) { reqwest::get([BASE, "a5"].join("/")).await; }
async fn f2(id: &str) { reqwest::get(BASE.replace("/api", "/v2") + "/a10").await; }

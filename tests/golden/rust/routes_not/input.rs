//! Speaks of actix_web, axum, rocket and warp: #[get("/users")] and Router::new().route("/users", get(list)).

use std::collections::HashMap;

#[getter("/users")]
fn getter() {}

#[derive(Serialize)]
#[serde(rename = "/users")]
struct User {
    #[arg(long, default_value = "/users")]
    path: String,
}

#[test_case("/users"; "answers")]
fn answers(path: &str) {}

struct Network;

impl Network {
    fn route(&self, path: &str, hop: Hop) -> &Self {
        self
    }
    fn nest(&self, path: &str) -> &Self {
        self
    }
}

fn run(map: &HashMap<String, u32>, net: Network) -> Option<u32> {
    let found = map.get("/users");
    net.route("/users", Hop::new()).nest("/orders");
    net.mount("/articles", vec![1]);
    let path = std::path::Path::new("/users").join("orders");
    let text = "#[get(\"/users\")]";
    let a = Some(1).and(Some(2)).or(Some(3)).and_then(|x| Some(x)).map(|x| x + 1);
    a
}

fn poem(table: &poem::Table, net: Network) -> Option<u32> {
    net.at("/verses", Hop::new());
    let line = table.at("/lines/:id", first(1).post(2));
    line.nest("/poem", 3)
}

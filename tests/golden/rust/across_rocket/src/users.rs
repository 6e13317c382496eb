#[get("/users/<id>")]
pub fn show(id: u64) -> String {
    String::new()
}

#[post("/users", data = "<body>")]
pub fn create(body: String) -> String {
    body
}

use rocket::Route;

#[get("/")]
fn list() -> String {
    String::new()
}

pub fn routes() -> Vec<Route> {
    routes![list]
}

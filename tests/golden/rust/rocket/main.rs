#[macro_use]
extern crate rocket;

#[get("/users/<id>?<page>&<size>")]
fn show(id: u64, page: Option<u32>, size: Option<u32>) -> String {
    format!("{}", id)
}

#[post("/users", format = "json", data = "<user>")]
fn create(user: Json<User>) -> Status {
    Status::Created
}

#[get("/files/<path..>")]
fn files(path: PathBuf) -> Option<NamedFile> {
    None
}

#[catch(404)]
fn not_found() -> &'static str {
    "/nothing"
}

#[launch]
fn rocket() -> _ {
    rocket::build()
        .mount("/", routes![files])
        .mount("/api", routes![show, create])
        .register("/", catchers![not_found])
}

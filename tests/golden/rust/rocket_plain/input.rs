#[macro_use]
extern crate rocket;

#[get("/")]
fn index() -> &'static str {
    "ok"
}

#[get("/articles/<id>?<page>&<rest..>", format = "json", rank = 2)]
fn show(id: u32, page: Option<u32>) -> String {
    id.to_string()
}

#[post("/articles/<id>/comments", data = "<body>")]
fn comment(id: u32, body: String) -> String {
    body
}

#[get("/files/<path..>")]
fn files(path: std::path::PathBuf) -> Option<File> {
    None
}

#[catch(404)]
fn missing() -> &'static str {
    "none"
}

#[launch]
fn launch() -> _ {
    rocket::build()
        .mount("/", routes![index, files, show, comment])
        .register("/", catchers![missing])
}

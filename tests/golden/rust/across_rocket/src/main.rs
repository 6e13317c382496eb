#[macro_use]
extern crate rocket;

mod orders;
mod users;

#[launch]
fn rocket() -> _ {
    rocket::build()
        .mount("/api", routes![users::show, users::create])
        .mount("/api/orders", orders::routes())
}

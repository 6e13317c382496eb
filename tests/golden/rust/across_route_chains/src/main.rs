use actix_web::{web, App};

mod orders;

fn main() {
    App::new().service(web::scope("/api").service(orders::Orders::scope()));
}

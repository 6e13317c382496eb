use actix_web::{get, web, HttpResponse, Scope};

pub fn scope() -> Scope {
    web::scope("/orders").service(list)
}

#[get("")]
async fn list() -> HttpResponse {
    HttpResponse::Ok().finish()
}

pub mod orders;
pub mod users;

use actix_web::{get, web, HttpResponse};

#[get("/healthz")]
async fn healthz() -> HttpResponse {
    HttpResponse::Ok().finish()
}

pub fn health(cfg: &mut web::ServiceConfig) {
    cfg.service(healthz);
}

use actix_web::web;

mod dump;

pub fn configure(cfg: &mut web::ServiceConfig) {
    cfg.service(web::scope("/dumps").configure(dump::configure));
}

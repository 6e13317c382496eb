use actix_web::{get, web, HttpResponse};

pub fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(
        web::scope("/users")
            .service(show)
            .route("", web::post().to(create)),
    );
    cfg.route("/me", web::get().to(me));
}

#[get("/{id}")]
async fn show(id: web::Path<u64>) -> HttpResponse {
    HttpResponse::Ok().finish()
}

async fn create() -> HttpResponse {
    HttpResponse::Created().finish()
}

async fn me() -> HttpResponse {
    HttpResponse::Ok().finish()
}

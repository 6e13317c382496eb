use actix_web::{get, patch, web, App, HttpServer, Responder};

const BASE: &str = "/api/v1";

#[get("/health")]
async fn health() -> impl Responder {
    "ok"
}

#[patch("/names/{id}")]
async fn rename(id: web::Path<u32>) -> impl Responder {
    "ok"
}

async fn list() -> impl Responder {
    "[]"
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    HttpServer::new(|| {
        App::new()
            .service(health)
            .service(
                web::scope(BASE)
                    .route("/users", web::get().to(list))
                    .service(web::resource("/users/{id}").route(web::get().to(list)).route(web::delete().to(list))),
            )
            .route("/raw", web::put().to(list))
    })
    .bind(("0.0.0.0", 8080))?
    .run()
    .await
}

use actix_web::{delete, get, route, web, App, HttpResponse, HttpServer, Responder};

#[get("/users/{id}")]
async fn show(path: web::Path<u64>) -> impl Responder {
    HttpResponse::Ok()
}

#[delete("/users/{id}")]
#[has_permissions("admin")]
async fn remove(path: web::Path<u64>) -> impl Responder {
    HttpResponse::NoContent()
}

#[route("/both", method = "GET", method = "POST")]
async fn both() -> impl Responder {
    HttpResponse::Ok()
}

/// Only its name is like a route.
#[get_all("/nothing")]
fn look_alike(map: &std::collections::HashMap<String, u32>) -> Option<&u32> {
    map.get("/users")
}

async fn list() -> impl Responder {
    HttpResponse::Ok()
}

async fn main() -> std::io::Result<()> {
    HttpServer::new(|| {
        App::new()
            .service(show)
            .service(both)
            .service(web::scope("/admin").wrap(Auth::new()).service(remove))
            .service(
                web::resource("/orders")
                    .route(web::get().to(list))
                    .route(web::post().guard(Json).to(create)),
            )
            .service(web::resource("/ping").to(|| async { "pong" }))
            .service(web::resource("/status").to(list))
            .route("/health", web::get().to(|| async { HttpResponse::Ok() }))
            .route("/search", web::method(Method::QUERY).to(list))
            .default_service(web::route().to(not_found))
    })
    .bind("0.0.0.0:8080")?
    .run()
    .await
}

mod api;

use actix_web::{web, App, HttpServer};

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    HttpServer::new(|| {
        App::new()
            .wrap(Logger::default())
            .service(web::scope("/api/v1").configure(api::users::config).service(api::orders::scope()))
            .configure(api::health)
    })
    .run()
    .await
}

mod orders;

use actix_web::{
    web::{get, scope},
    App, HttpServer,
};

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let limit = Limit::new();
    HttpServer::new(move || {
        let app = App::new();
        app.service(
            scope("/api")
                // all orders
                .configure(|cfg| orders::config(cfg, &limit))
                .route("/health", get().to(health)),
        )
    })
    .bind("0.0.0.0:8080")?
    .run()
    .await
}

async fn health() {}

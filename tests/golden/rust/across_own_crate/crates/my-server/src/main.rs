use shop_server::routes;

#[tokio::main]
async fn main() {
    let app = axum::Router::new()
        .nest("/api", routes::router())
        .nest("/ops", shop_server::routes::health::router());
    axum::serve(listener, app).await;
}

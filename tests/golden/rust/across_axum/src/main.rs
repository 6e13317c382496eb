mod http;

use axum::Router;

#[tokio::main]
async fn main() {
    let app = Router::new()
        .nest("/api", http::users::router())
        .merge(http::health::routes())
        .fallback(not_found);
    axum::serve(listener, app).await.unwrap();
}

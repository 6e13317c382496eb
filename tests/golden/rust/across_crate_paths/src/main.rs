mod http;
mod lines;

#[tokio::main]
async fn main() {
    let app = axum::Router::new().nest("/api", crate::http::routes());
    let listener = tokio::net::TcpListener::bind("0.0.0.0:3000").await.unwrap();
    axum::serve(listener, app).await.unwrap();
}

use axum::{routing::get, Router};

pub fn line_routes() -> Router {
    Router::new().route("/", get(list))
}

async fn list() {}

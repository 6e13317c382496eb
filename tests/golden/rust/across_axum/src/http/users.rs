use axum::routing::{get, post};
use axum::Router;

pub fn router() -> Router {
    Router::new()
        .route("/users", post(create))
        .route("/users/:id", get(show))
        .nest("/users/:id/orders", orders())
}

fn orders() -> Router {
    Router::new().route("/", get(list))
}

async fn create() {}
async fn show() {}
async fn list() {}

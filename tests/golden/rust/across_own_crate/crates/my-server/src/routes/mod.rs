pub mod health;

use axum::{routing::get, Router};

pub fn router() -> Router {
    Router::new().route("/orders", get(orders))
}

async fn orders() {}

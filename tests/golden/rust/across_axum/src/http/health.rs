use axum::{routing::get, Router};

pub(crate) fn routes() -> Router {
    let router = Router::new().route("/healthz", get(healthz));
    router
}

async fn healthz() {}

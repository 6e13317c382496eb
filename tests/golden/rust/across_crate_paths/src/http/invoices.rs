use axum::{routing::{get, post}, Router};

pub fn routes() -> Router {
    Router::new()
        .route("/", post(create))
        .route("/{id}", get(show))
        .nest("/{id}/lines", crate::lines::line_routes())
}

async fn create() {}
async fn show() {}

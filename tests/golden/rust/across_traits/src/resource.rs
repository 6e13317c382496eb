use axum::{routing::{get, post}, Router};

pub trait Resource: Sized + 'static {
    const PATH: &'static str;

    fn routes() -> Router {
        Router::new()
            .route(Self::PATH, post(Self::create))
            .route(&format!("{}/{{id}}", Self::PATH), get(Self::show).delete(Self::remove))
    }
}

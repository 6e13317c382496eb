use axum::{routing::get, Router};

pub trait Unused {
    const NAME: &'static str;

    fn none() -> Router {
        Router::new().route(&format!("/{}", Self::NAME), get(Self::show))
    }
}

use crate::depot;
use axum::Router;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn app() -> Router {
    let (router, _) = OpenApiRouter::new()
        .routes(routes!(depot::crates::list, depot::crates::create))
        .routes(routes!(depot::crates::drop_one))
        .nest("/yard", yard())
        .split_for_parts();
    router
}

fn yard() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(depot::trucks))
}

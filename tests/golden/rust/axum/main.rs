use axum::{
    routing::{delete, get, post, MethodRouter},
    Router,
};

const ORDERS: &str = "/orders";

fn app(state: State) -> Router {
    let admin = Router::new().route("/stats", get(stats));
    Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/users/{id}", get(show).put(update).delete(remove))
        .route(ORDERS, post(create))
        .route("/files/*path", axum::routing::get(file))
        .route("/any", any(everything))
        .nest("/admin", admin)
        .nest("/v2", Router::new().route("/x", delete(remove)))
        .layer(cors())
        .with_state(state)
}

fn look_alike(cache: &Cache, route: &str) {
    cache.get("/users");
    cache.route("/users", true);
    assert_eq!(get("/users"), None);
}

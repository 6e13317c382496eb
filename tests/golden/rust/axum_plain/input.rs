use axum::{
    routing::{any, delete, get, post},
    Router,
};

const ORDERS: &str = "/orders";

fn routes(state: State) -> Router {
    let orders = Router::new()
        .route("/", get(list).post(create))
        .route("/{id}", get(show).patch(update).delete(remove));
    let admin = Router::new().route("/users/:id", delete(drop_user)).layer(auth());
    Router::new()
        .route("/health", get(|| async { "ok" }))
        .route("/files/*path", any(files))
        .nest(ORDERS, orders)
        .nest("/admin", admin)
        .merge(Router::new().route("/login", post(login)))
        .fallback(missing)
        .with_state(state)
}

mod loans;
mod shelves;

fn app() -> axum::Router {
    axum::Router::new()
        .nest("/api", crate::shelves::all())
        .nest("/loans", loans::table())
}

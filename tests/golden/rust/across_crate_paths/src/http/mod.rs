pub mod invoices;
use axum::Router;

pub fn routes() -> Router {
    Router::new().nest("/invoices", self::invoices::routes())
}

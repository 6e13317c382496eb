pub mod crates;

/// Trucks in the yard.
#[utoipa::path(get, path = "/trucks/{id}", responses((status = 200, description = "one")))]
#[axum::debug_handler]
pub async fn trucks() {}

/// Only described.
#[utoipa::path(get, path = "/described")]
pub async fn described() {}

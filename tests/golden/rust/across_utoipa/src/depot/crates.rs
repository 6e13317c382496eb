#[utoipa::path(get, path = "/api/v1/crates", tag = "crates")]
pub async fn list() {}

#[utoipa::path(
    post,
    path = "/api/v1/crates",
    responses((status = 201, description = "made"))
)]
pub async fn create() {}

#[utoipa::path(delete, path = "/api/v1/crates/{id}", params(("id" = i32, Path)))]
pub async fn drop_one() {}

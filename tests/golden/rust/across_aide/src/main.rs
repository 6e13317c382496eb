mod v1;
use aide::axum::ApiRouter;
#[tokio::main]
async fn main() {
    let v1_router = v1::router(cfg.clone()).with_state::<()>(app_state);
    let app = ApiRouter::new().nest_api_service("/api/v1", v1_router).finish_api(&mut openapi);
    axum::serve(l, app).await;
}

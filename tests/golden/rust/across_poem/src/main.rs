mod api;
mod pages;

use poem::{listener::TcpListener, Route, Server};
use poem_openapi::OpenApiService;

#[tokio::main]
async fn main() -> Result<(), std::io::Error> {
    let service = OpenApiService::new((api::Authors, api::Books), "library", "1.0");
    let app = Route::new()
        .nest("/api", service)
        .nest("/pages", pages::routes());
    Server::new(TcpListener::bind("0.0.0.0:3000")).run(app).await
}

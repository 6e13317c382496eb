mod resource;
mod unused;

struct Book;
struct Author;

impl resource::Resource for Book {
    const PATH: &'static str = "/books";
}

impl resource::Resource for Author {
    const PATH: &'static str = "/authors";
}

#[tokio::main]
async fn main() {
    let app = axum::Router::new()
        .nest("/api", Book::routes())
        .nest("/admin", Author::routes());
    axum::serve(listener(), app).await.unwrap();
}

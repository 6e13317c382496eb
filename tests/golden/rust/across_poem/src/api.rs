use poem_openapi::{param::Path, payload::PlainText, OpenApi};

pub struct Authors;
pub struct Books;

#[OpenApi(prefix_path = "/authors")]
impl Authors {
    #[oai(path = "/", method = "get")]
    async fn list(&self) -> PlainText<String> {
        PlainText(String::new())
    }

    /// One of them.
    #[oai(path = "/:id", method = "get")]
    async fn show(&self, id: Path<u64>) -> PlainText<String> {
        PlainText(id.to_string())
    }
}

#[OpenApi]
impl Books {
    #[oai(path = "/books", method = "post")]
    async fn add(&self) -> PlainText<String> {
        PlainText(String::new())
    }
}

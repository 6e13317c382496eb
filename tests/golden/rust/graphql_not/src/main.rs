use async_graphql::Object;

pub struct Query;

// A type of a schema that is no root, and one without the macro.
#[Object]
impl Query {
    async fn nothing(&self) -> i32 {
        1
    }
}

impl Database {
    fn users(&self) -> Schema<Table> {
        self.query("select 1")
    }
}

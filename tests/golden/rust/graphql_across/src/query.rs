use async_graphql::Object;

#[derive(Default)]
pub struct QueryRoot;

#[Object]
impl QueryRoot {
    async fn stock_level(&self, sku: String) -> i32 {
        0
    }
}

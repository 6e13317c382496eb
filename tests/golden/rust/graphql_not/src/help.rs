pub const HELP: &str = "query the graphql endpoint { really }";
pub const LUCENE: &str = "query: { name }";

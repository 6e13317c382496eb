use axum::{routing::{delete, get, post}, Router};

macro_rules! table_of_routes {
    ($name:ident; $($path:literal => $($verb:ident($handler:path)),+;)*) => {
        pub fn $name() -> Router {
            Router::new()$($(.route($path, $verb($handler)))+)*
        }
    };
}

table_of_routes! {
    table;
    "/" => get(list), post(lend);
    "/{id}" => delete(give_back);
}

async fn list() {}
async fn lend() {}
async fn give_back() {}

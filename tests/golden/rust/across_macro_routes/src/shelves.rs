use axum::{routing::{get, post}, Router};

// Two rules; the second one says the path itself.
macro_rules! shelf {
    ($name:ident, $list:ident) => {
        shelf!($name, $list, "/shelves");
    };
    ($name:ident, $list:ident, $path:literal) => {
        pub fn $name() -> Router {
            Router::new()
                .route($path, get($list))
                .route(concat!($path, "/{number}"), post(add))
        }
    };
}

shelf!(shelves, list_shelves);
shelf!(
    maps,
    list_maps,
    "/maps"
);

pub fn all() -> Router {
    Router::new().merge(shelves()).merge(self::maps())
}

async fn add() {}
async fn list_shelves() {}
async fn list_maps() {}

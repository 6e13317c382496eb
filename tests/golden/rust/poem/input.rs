use poem::{get, post, Route};

fn app() -> Route {
    Route::new().at("/health", get(health)).at("/loans/:id", post(lend).get(show))
}

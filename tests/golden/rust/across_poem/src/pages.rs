use poem::{get, handler, Route};

pub fn routes() -> Route {
    Route::new()
        .at("/", get(home))
        .at("/:name", get(page).post(store).delete(remove))
}

#[handler]
fn home() -> String {
    String::new()
}

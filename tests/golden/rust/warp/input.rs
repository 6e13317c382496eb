use warp::{path, Filter};

pub fn routes() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    list().or(show()).or(create()).or(remove())
}

fn list() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::path!("users")
        .and(warp::get())
        .and(warp::query::<Page>())
        .and_then(handlers::list)
}

fn show() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::get().and(warp::path!("users" / u32)).and_then(handlers::show)
}

fn create() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::path("users")
        .and(warp::path::end())
        .and(warp::post())
        .and(warp::body::json())
        .and_then(handlers::create)
}

fn remove() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::delete()
        .and(warp::path("users"))
        .and(warp::path::param::<u32>())
        .and(warp::path("posts"))
        .and_then(handlers::remove)
}

#[tokio::main]
async fn main() {
    let hello = warp::path!("hello" / String).map(|name| format!("Hello, {}!", name));
    let health = path("health").and(path("live")).map(|| "ok");
    let update = path!("stock" / String / "levels" / ..).and(warp::put()).map(|sku| sku);
    warp::serve(routes().or(hello).or(health).or(update)).run(([127, 0, 0, 1], 3030)).await;
}

mod users;

use warp::Filter;

#[tokio::main]
async fn main() {
    let api = warp::path("api").and(users::routes().or(users::admin()));
    let health = warp::path!("health").and(warp::get()).map(|| "ok");
    warp::serve(api.or(health)).run(([0, 0, 0, 0], 3030)).await;
}

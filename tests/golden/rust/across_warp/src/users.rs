use warp::Filter;

pub fn routes() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    list().or(show())
}

pub fn admin() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::path!("admin" / "users" / u32).and(warp::delete()).map(|id| id)
}

fn list() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::path("users").and(warp::path::end()).and(warp::get()).map(|| "all")
}

fn show() -> impl Filter<Extract = impl warp::Reply, Error = warp::Rejection> + Clone {
    warp::path!("users" / u32).and(warp::get()).map(|id| id)
}

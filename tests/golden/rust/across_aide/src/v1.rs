use aide::axum::{ApiRouter, routing::get_with};
pub fn router(cfg: Configuration) -> ApiRouter<AppState> {
    let ret: ApiRouter<AppState> = ApiRouter::new().merge(orders()).layer(x);
    if cfg!(debug_assertions) {
        return ret.merge(dev());
    }
    ret
}
fn orders() -> ApiRouter<AppState> {
    ApiRouter::new().api_route_with("/app", get_with(list, d).post_with(create, d), &tag)
}

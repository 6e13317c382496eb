use axum::Router;

macro_rules! message {
    ($name:ident, $text:literal) => {
        pub fn $name() -> &'static str {
            $text
        }
    };
    ($($rest:tt)+) => { compile_error!("/never") };
}

message!(usage, "/usage shows this");
message!(usage "/usage");

macro_rules! endless {
    ($path:literal) => { endless!($path); endless!($path); };
}

endless!("/endless");

fn empty() -> Router {
    Router::new()
}

mod api;
mod orders;

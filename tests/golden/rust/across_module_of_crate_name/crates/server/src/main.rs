mod routes;

fn main() {
    HttpServer::new(|| App::new().configure(routes::configure));
    dump::read();
}

package shop;

import io.vertx.ext.web.Router;

class Main extends AbstractVerticle {
    public void start() {
        Router router = Router.router(vertx);
        router.get("/users/:id").handler(this::get);
        router.route(HttpMethod.PUT, "/users/:id").handler(this::put);
        router.route().handler(BodyHandler.create());
        Router orders = Router.router(vertx);
        orders.post("/").handler(this::create);
        router.mountSubRouter("/api/orders", orders);
        map.get("/nothing");
    }
}

package shop;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;

class UserRoutes {
    void mount(Router router) {
        router.get(Paths.USERS + "/:id").handler(this::get);
    }
}

class OrderRoutes {
    static Router create(Vertx vertx) {
        Router orders = Router.router(vertx);
        orders.post("/").handler(context -> { });
        return orders;
    }
}

class StockRoutes {
    static Router create(Vertx vertx) {
        Router stock = Router.router(vertx);
        stock.delete("/:item").handler(context -> { });
        return stock;
    }
}

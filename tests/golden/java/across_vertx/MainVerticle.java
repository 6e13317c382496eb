package shop;

import io.vertx.core.AbstractVerticle;
import io.vertx.ext.web.Router;

public class MainVerticle extends AbstractVerticle {
    @Override
    public void start() {
        Router router = Router.router(vertx);
        new UserRoutes().mount(router);
        router.mountSubRouter("/api/orders", OrderRoutes.create(vertx));
        router.route("/api/stock/*").subRouter(StockRoutes.create(vertx));
    }
}

package shop;

import io.vertx.core.AbstractVerticle;
import io.vertx.ext.web.Router;

public class Main extends AbstractVerticle {
    @Override
    public void start() {
        Router router = Router.router(vertx);
        router.route("/api*").subRouter(Orders.router(vertx));
        vertx.createHttpServer().requestHandler(router).listen(80);
    }
}

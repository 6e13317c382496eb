package shop;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;

class Orders {
    static Router router(Vertx vertx) {
        Router router = Router.router(vertx);
        router.route("/orders/*").handler(BodyHandler.create());
        router.route("/orders").method(HttpMethod.POST).handler(ctx -> ctx.end());
        router.route().path("/orders/:id").method(HttpMethod.PATCH).handler(ctx -> ctx.end());
        return router;
    }
}

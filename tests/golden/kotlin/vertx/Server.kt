package shop

import io.vertx.core.AbstractVerticle
import io.vertx.core.http.HttpMethod
import io.vertx.ext.web.Router

class Server : AbstractVerticle() {
    override fun start() {
        val router = Router.router(vertx)
        router.get("/orders/:id").handler { it.end() }
        router.route(HttpMethod.PUT, "/orders").handler { it.end() }
        router.route("/lines").method(HttpMethod.PATCH).handler { it.end() }
        vertx.createHttpServer().requestHandler(router).listen(80)
    }
}

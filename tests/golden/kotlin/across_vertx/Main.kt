package shop

import io.vertx.ext.web.Router

fun main() {
    val router = Router.router(vertx)
    router.route("/api/*").subRouter(orders())
    router.mountSubRouter("/v2", Users().router())
}

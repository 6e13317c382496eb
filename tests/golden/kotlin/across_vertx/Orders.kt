package shop

import io.vertx.ext.web.Router

fun orders(): Router {
    val router = Router.router(vertx)
    router.get("/orders").handler { it.end() }
    return router
}

class Users {
    fun router(): Router {
        val router = Router.router(vertx)
        router.delete("/users/:id").handler { it.end() }
        return router
    }
}

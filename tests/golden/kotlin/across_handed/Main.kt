package app

import io.javalin.Javalin
import io.javalin.apibuilder.ApiBuilder.*

fun main() {
    val orders = Orders()
    Javalin.create { config ->
        config.router.contextPath = "/shop"
        config.router.apiBuilder {
            path("api") {
                path("orders", orders)
                path("users", Users::routes)
                get("ping") { ctx -> ctx.result("pong") }
            }
        }
    }.start(7000)
}

package shop

import io.ktor.server.engine.*
import io.ktor.server.netty.*
import io.ktor.server.routing.*

fun main() {
    val orders = OrderRoutes()
    embeddedServer(Netty, port = 80) {
        routing {
            route("/api") {
                with(orders) { orderRoutes() }
                UserRoutes.apply { userRoutes() }
            }
        }
    }.start(wait = true)
}

fun Application.more(health: Health) {
    routing {
        route("/ops") {
            health.run { healthRoutes() }
        }
    }
}

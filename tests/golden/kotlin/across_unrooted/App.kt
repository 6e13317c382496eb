package shop

import io.ktor.server.application.*
import io.ktor.server.routing.*

fun Application.module() {
    routing {
        route("/api") { orders() }
    }
}

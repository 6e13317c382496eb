package shop

import io.ktor.server.routing.*

fun Route.orders() {
    route("/orders") {
        get("/all") { }
    }
}

fun Route.nobodyMounts() {
    route("/users") {
        get("/all") { }
    }
}

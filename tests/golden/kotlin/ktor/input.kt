package shop

import io.ktor.server.application.*
import io.ktor.server.routing.*

const val ITEMS = "/items"

fun Application.module() {
    routing {
        get("/") { call.respondText("hello") }
        route("/api") {
            route(ITEMS) {
                get { call.respond(all()) }
                get("/{id}") { call.respond(map.get("/nothing")) }
                post { }
            }
            authenticate("jwt") {
                delete("/users/{id}") { }
            }
        }
        static("/nothing") { }
    }
    cache.get("/nothing")
}

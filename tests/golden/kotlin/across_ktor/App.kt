package app
import io.ktor.server.application.*
import io.ktor.server.routing.*
import io.ktor.server.resources.*
import io.ktor.resources.*

fun Application.module() {
    routing {
        get("/health") { call.respond("ok") }
        route("/api") {
            userRoutes()
            authenticate("jwt") {
                orderRoutes(service)
                route("/deep") { route("/er") { delete("{id}") { } } }
            }
        }
        this.extra()
    }
    adminModule()
}
fun Application.adminModule() { routing { get("/admin") { } } }

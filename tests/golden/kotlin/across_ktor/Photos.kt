package app
import io.ktor.server.routing.*
fun Route.photoRoutes() = route("/photos") { get("/{photo}") { } }

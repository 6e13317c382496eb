package app
import io.ktor.server.application.*
import io.ktor.server.routing.*
class Stock {
    fun Route.routes() { get("/stock") { } }
}
fun Application.stock(s: Stock) { routing { route("/api") { with(s) { routes() } } } }

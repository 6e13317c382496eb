package app
import io.ktor.server.routing.*
fun Route.userRoutes() {
    route("/users") {
        get { }
        get("/{id}") { }
        post("/") { }
        photoRoutes()
    }
}
fun Route.orderRoutes(s: Service) { get("/orders") { }; put("/orders/{id}") { } }
fun Routing.extra() { get("/extra") { } }

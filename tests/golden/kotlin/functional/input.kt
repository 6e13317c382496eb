package shop

import org.springframework.web.reactive.function.server.coRouter

class Routes(private val handler: Handler, private val table: Table) {
    fun routes() = coRouter {
        GET("/users", handler::all)
        "/orders".nest {
            POST("", handler::add)
            DELETE("/{id}") { handler.drop(it) }
        }
        table.put("/nothing", 1)
    }
}

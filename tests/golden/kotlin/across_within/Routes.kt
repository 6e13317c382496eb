package shop

import io.ktor.server.routing.*

class OrderRoutes {
    fun Route.orderRoutes() {
        get("/orders") { }
    }
}

object UserRoutes {
    fun Route.userRoutes() {
        post("/users") { }
    }
}

class Health {
    fun Route.healthRoutes() {
        get("/health") { }
    }
}

class Other {
    fun Route.otherRoutes() {
        get("/other") { }
    }
}

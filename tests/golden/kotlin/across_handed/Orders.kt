package app

import io.javalin.apibuilder.ApiBuilder.*
import io.javalin.apibuilder.EndpointGroup

class Orders : EndpointGroup {
    override fun addEndpoints() {
        get("all") { ctx -> ctx.result("orders") }
        path("{id}") { delete("lines") { ctx -> ctx.result("gone") } }
    }
}

object Users {
    fun routes() {
        get("{id}") { ctx -> ctx.result("user") }
    }
}

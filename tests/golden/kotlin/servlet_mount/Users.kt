package org.a

import jakarta.ws.rs.GET
import jakarta.ws.rs.Path

@Path("users")
class Users {
    @GET
    @Path("{id}")
    fun show(id: String): String = id
}

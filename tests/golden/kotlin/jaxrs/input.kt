package shop
import jakarta.ws.rs.*
@Path("/users")
class Users {
  @GET
  fun all() = listOf<User>()
  @GET @Path("{id}")
  fun one(@PathParam("id") id: Long) = User()
  @Path("/{id}/name") @PUT
  fun rename(@PathParam("id") id: Long, name: String) {}
}
open class Helper {
  @DELETE
  fun nobody() {}
}

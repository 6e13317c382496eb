package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("/users")
public interface UserApi {
    @GET
    @Path("/{id}")
    User get(@PathParam("id") long id);
}

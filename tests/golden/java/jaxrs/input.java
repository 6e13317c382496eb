package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("users")
@Produces(MediaType.APPLICATION_JSON)
public class UserResource {
    static final String FILES = "/files/{path: .*}";

    @GET
    public List<User> list() { return map.get("/nothing"); }

    @GET
    @Path("/{id: [0-9]+}")
    public User get(@PathParam("id") long id) { return null; }

    @Path("{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @PUT
    public User put(@PathParam("id") long id) { return null; }

    @DELETE
    @RolesAllowed({"admin"})
    @Path(FILES)
    public void remove() { }

    @Path("/items")
    public ItemResource items() { return new ItemResource(); }
}

class Helper {
    @GET
    public String subResource() { return ""; }
}

@Path("/client")
interface Client {
    @GET
    String nothing();
}

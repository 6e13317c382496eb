package shop;

import jakarta.ws.rs.*;

@Path("/users")
public class Users extends Crud<User> {
    @GET
    @Path("find/{page}")
    public User find(@QueryParam("q") String q, @PathParam("page") int page) { return null; }

    @Path("{id}/orders")
    public OrdersOfUser orders(@PathParam("id") long id) { return new OrdersOfUser(id); }

    @Path("{id}/carts")
    public Class<Carts> carts() { return Carts.class; }
}

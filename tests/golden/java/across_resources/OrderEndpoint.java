package shop;

import jakarta.ws.rs.Path;

@Path("orders")
public class OrderEndpoint extends AbstractEndpoint<Order> {
    @GET
    @Path("user/{user: [0-9]+}")
    public List<Order> ofUser(@PathParam("user") long user) { return null; }
}

package shop;

import jakarta.ws.rs.*;

public class OrdersOfUser {
    private final long user;

    public OrdersOfUser(long user) { this.user = user; }

    @GET
    public List<Order> all() { return null; }

    @DELETE
    @Path("{order}")
    public void drop(@PathParam("order") long order) { }

    @Path("{order}/lines")
    public Lines lines(@PathParam("order") long order) { return new Lines(); }
}

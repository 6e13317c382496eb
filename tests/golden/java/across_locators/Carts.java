package shop;

import jakarta.ws.rs.POST;

@Path("/ignored-when-sub")
public class Carts {
    @POST
    public void add(Item item) { }
}

package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

public abstract class AbstractEndpoint<T> {
    @GET
    public List<T> list() { return null; }

    @DELETE
    @Path("{id}")
    public void remove(@PathParam("id") long id) { }
}

package shop;

import jakarta.ws.rs.*;

public abstract class Crud<T> {
    @GET
    public List<T> list() { return null; }

    @GET
    @Path("{id}")
    public T get(@PathParam("id") long id) { return null; }

    @GET
    @Path("find")
    public T find(@QueryParam("q") String q) { return null; }
}

package org.a;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;

public abstract class BaseResource<T> {
    @Path("{id}")
    @GET
    public T single(long id) { return null; }

    @POST
    public T add(T entity) { return entity; }

    @Path("{id}")
    @PUT
    public T update(T entity) { return entity; }
}

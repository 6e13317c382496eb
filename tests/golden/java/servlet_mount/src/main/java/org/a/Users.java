package org.a;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("users")
public class Users {
    @GET
    @Path("{id}")
    public String show(String id) { return id; }
}

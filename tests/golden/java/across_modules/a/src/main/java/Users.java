package a;

import javax.ws.rs.GET;

@Path("/users")
public class Users {
    @GET
    public String all() { return ""; }
}

package b;

import javax.ws.rs.GET;

@Path("/orders")
public class Orders {
    @GET
    public String all() { return ""; }
}

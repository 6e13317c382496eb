package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

public class Lines {
    @GET
    @Path("{line}")
    public Line one(@PathParam("line") int line) { return null; }
}

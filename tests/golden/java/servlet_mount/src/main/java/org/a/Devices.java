package org.a;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

@Path("devices")
public class Devices extends ListResource<Device> {
    @POST
    @Override
    public Device add(Device device) { return device; }

    @GET
    @Path("{extension:csv|xml}")
    public String export(String extension) { return extension; }
}

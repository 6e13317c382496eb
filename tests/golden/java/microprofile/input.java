package shop;

import javax.ws.rs.GET;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

@Path("/users")
@RegisterRestClient(baseUri = "http://users:8080/api")
interface Users {
    @GET
    List<User> list();

    @GET
    @Path("/{id}")
    User get(@PathParam("id") long id);

    @Path("/{id}")
    @DELETE
    void remove(@PathParam("id") long id);

    String unrelated();
}

@Path("/orders")
@RegisterRestClient(configKey = "orders")
interface Orders {
    @POST
    void create(Order order);
}

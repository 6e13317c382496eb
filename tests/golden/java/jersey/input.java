package shop;

import javax.ws.rs.client.ClientBuilder;
import javax.ws.rs.client.WebTarget;

class Calls {
    private static final String BASE = "http://users:8080/api";

    void all(long id, WebTarget given, Map<String, String> map) {
        User user = ClientBuilder.newClient().target(BASE).path("users").path("{id}").resolveTemplate("id", id)
            .request(MediaType.APPLICATION_JSON).get(User.class);
        WebTarget orders = ClientBuilder.newClient().target("http://orders");
        orders.path("orders").queryParam("a", 1).request().header("A", "b").post(Entity.json("{}"));
        given.request().delete();
        orders.path("/orders").request().method("PATCH", Entity.json("{}"));
        map.get("request");
        request.get("/nothing");
    }
}

package shop;

import javax.ws.rs.client.Client;
import javax.ws.rs.client.Entity;
import javax.ws.rs.core.MediaType;

class Calls {
    private final Client client;

    Calls(Client client) { this.client = client; }

    User user(long id) {
        return client.target(Targets.USERS).path("users").path(String.valueOf(id)).request(MediaType.APPLICATION_JSON).get(User.class);
    }

    void order(Order order) {
        Targets.orders().path("orders").request().post(Entity.json(order));
    }
}

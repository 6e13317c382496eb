package shop;

import javax.ws.rs.client.ClientBuilder;
import javax.ws.rs.client.WebTarget;

class Targets {
    static final String USERS = "http://users:8080/api";

    static WebTarget orders() { return ClientBuilder.newClient().target("http://orders"); }
}

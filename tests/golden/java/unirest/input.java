package shop;

import kong.unirest.Unirest;

class Calls {
    void all(long id) {
        Unirest.get("http://users/users/{id}").routeParam("id", "1").asJson();
        Unirest.post("http://orders/orders").body("{}").asEmpty();
        Unirest.config().get("nothing");
        unirest.get("/nothing");
    }
}

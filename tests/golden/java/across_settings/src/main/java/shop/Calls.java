package shop;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.client.RestTemplate;

class Calls {
    private final RestTemplate rest = new RestTemplate();
    private Clients clients;

    @Value("${orders.url:http://localhost:1}")
    private String ordersUrl;

    @Value("${stock.url:http://stock:7000}")
    private String stockUrl;

    void all(long id) {
        rest.getForObject(ordersUrl + "/orders/" + id, String.class);
        rest.delete(stockUrl + "/items/{id}", id);
        rest.getForObject(clients.getUsersUrl() + "/users/{id}", String.class, id);
        get("/tags");
    }

    private String get(String path) {
        return rest.getForObject(ordersUrl + path, String.class);
    }
}

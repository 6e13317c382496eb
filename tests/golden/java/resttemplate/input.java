package shop;

import org.springframework.web.client.RestTemplate;

class Neighbours {
    private static final String USERS = "http://users:8080";
    private final RestTemplate rest = new RestTemplate();
    private final Map<String, String> map;

    User user(long id) {
        return rest.getForObject(USERS + "/users/{id}", User.class, id);
    }

    void others(String unknown, RestTemplate given) {
        String url = String.format("%s/users/%d/orders", USERS, 1);
        this.rest.exchange(url, HttpMethod.PUT, null, Void.class);
        given.postForEntity("http://orders/orders", null, Order.class);
        rest.delete(unknown);
        rest.put("http://orders/orders/" + unknown, null);
        rest.getForEntity(URI.create("http://catalog/products"), List.class);
        map.put("/nothing", "x");
        map.remove("/nothing");
    }
}

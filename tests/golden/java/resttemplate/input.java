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

    void built(long id) {
        URI uri = UriComponentsBuilder.fromHttpUrl(USERS).path("/users/{id}").queryParam("full", true)
            .buildAndExpand(id).toUri();
        rest.getForObject(uri, User.class);
        rest.getForObject(UriComponentsBuilder.fromUriString("http://catalog").pathSegment("products", "new").toUriString(),
            List.class);
        rest.getForObject(UriComponentsBuilder.newInstance().scheme("http").host("stock").port(80).path("/items").build()
            .toUri(), List.class);
        rest.getForObject(new StringBuilder("http://stock").append("/items/").append(id).toString(), Item.class);
        rest.getForObject("""
            http://stock/counts""".trim(), Item.class);
    }

    void elsewhere() {
        getRestTemplate().delete("http://users/sessions");
        this.baseRestTemplate.exchange("http://users/sessions/{id}", HttpMethod.valueOf("GET"), null, Void.class);
        getRestTemplate().exchange(RequestEntity.post(URI.create("http://users/sessions")).body(x), Void.class);
        rest.exchange(RequestEntity.method(HttpMethod.PATCH, USERS + "/sessions").build(), Void.class);
        rest.exchange(new RequestEntity<>(body, HttpMethod.DELETE, URI.create("http://users/sessions")), Void.class);
        cache.delete("http://nothing/key");
        testRestTemplate.getForObject("/nothing", String.class);
        // rest.getForObject("http://nothing/comment", String.class);
    }
}

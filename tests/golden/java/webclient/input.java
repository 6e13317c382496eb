package shop;

import org.springframework.web.reactive.function.client.WebClient;

class Shops {
    private final WebClient users = WebClient.builder().baseUrl("http://users:8080/api").build();
    private final WebClient orders;
    private final RestClient stock = RestClient.create("lb://stock");
    private final WebClient.Builder builder;

    Shops(WebClient.Builder builder) {
        this.builder = builder;
        this.orders = builder.clone().defaultHeader("A", "b").baseUrl("http://orders").build();
    }

    Mono<User> user(long id) {
        return users.get().uri("/users/{id}", id).retrieve().bodyToMono(User.class);
    }

    Mono<Void> all(long id, Order order) {
        orders.post()
            .uri("/orders")
            .bodyValue(order).retrieve();
        this.orders.put().uri(b -> b.path("/orders/{id}").queryParam("full", true).build(id)).retrieve();
        orders.method(HttpMethod.PATCH).uri(uriBuilder -> {
            return uriBuilder.pathSegment("orders", "{id}").build(id);
        }).retrieve();
        stock.delete().uri("items/" + id).retrieve().toBodilessEntity();
        builder.build().get().uri("http://catalog/products/{id}", id).retrieve();
        WebClient.create("http://rates").get().uri("/eur").retrieve();
        WebClient.create("http://rates/usd").get().retrieve();
        return users.get().uri("http://other/absolute").retrieve().bodyToMono(Void.class);
    }

    void unknown(Map<String, String> map, String url, WebTestClient webTestClient) {
        given.get().uri(url).retrieve();
        given.get().uri("/relative").retrieve();
        map.get("uri");
        webTestClient.get().uri("/nothing").exchange();
        // users.get().uri("/nothing/comment").retrieve();
        map.get(uri("/nothing"));
    }
}

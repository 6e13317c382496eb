package shop;

public class UsersClient extends BaseClient {
    private final WebClient ordersClient;
    private final Urls urls;

    User user(long id) {
        return fetch("/users/" + id, User.class);
    }

    void all(long id) {
        restTemplate.delete(Urls.USERS + "/users/{id}", id);
        restTemplate.put(urls.getStockUrl() + "/items", null);
        ordersClient.get().uri("/orders/{id}", id).retrieve();
    }
}

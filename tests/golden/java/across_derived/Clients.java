package shop;

import org.springframework.beans.factory.annotation.Value;

@Component
class UsersClient extends BaseClient {
    UsersClient(RestTemplate rest, @Value("${users.url}") String url) { super(rest, url); }

    User user(long id) { return fetch("/users/" + id, User.class); }
}

class OrdersClient extends BaseClient {
    OrdersClient(RestTemplate rest) { super(rest, "http://orders:8080"); }

    Order order(long id) { return fetch("/orders/" + id, Order.class); }

    void cancel(long id) { remove("/orders/" + id); }
}

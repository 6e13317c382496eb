import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

@Service
class Users {
    private final RestTemplate rest;
    private final String users;
    private final String stock;

    Users(RestTemplate rest, @Value("${users.url}") String users, @Value("${stock.url:http://stock:9000}") final String stock) {
        this.rest = rest;
        this.users = users;
        this.stock = stock;
    }

    Object user(long id) {
        return rest.getForObject(users + "/users/" + id, Object.class);
    }

    Object items() {
        return rest.getForObject(stock + "/items", Object.class);
    }
}

package shop;

import org.springframework.cloud.openfeign.FeignClient;

@FeignClient(name = "users", url = "http://localhost:8081/base", path = "/api")
public interface UsersClient {
    @GetMapping("/users/{id}")
    User get(@PathVariable("id") long id);

    @PostMapping(value = "/users", consumes = "application/json")
    User create(@RequestBody User user);

    @RequestMapping(method = RequestMethod.DELETE, value = "users/{id}")
    void remove(@PathVariable("id") long id);

    @RequestMapping("/users")
    List<User> all();

    @PutMapping
    void nothingBelow();
}

@FeignClient("orders-service")
interface OrdersClient {
    String ROOT = "/orders";

    @GetMapping(ROOT + "/{id}")
    Order order(@PathVariable long id);

    @Deprecated
    void unrelated(Map<String, String> map);
}

@FeignClient(name = "rates", url = "https://api.rates.example")
interface Rates {
    @GetMapping(path = {"/v1/eur", "/v1/euro"})
    Rate euro();
}

interface Plain {
    @RequestLine("POST /plain/{id}")
    void post(@Param("id") String id);

    @GetMapping("/nothing-consumed")
    void described();
}

@HttpExchange("/stock")
interface Stock {
    @GetExchange("/{id}")
    Item item(@PathVariable long id);

    @HttpExchange(method = "DELETE", url = "/{id}")
    void drop(@PathVariable long id);
}

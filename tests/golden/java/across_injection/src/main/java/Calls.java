package shop;

@RestController
public class Calls {
    private final RestTemplate restTemplate;
    private final String usersUrl;
    @Value("${clients.stock.url}")
    private String stockUrl;
    private final ClientSettings settings;

    public Calls(RestTemplate restTemplate, @Value("${clients.users-url}") String usersUrl,
            @Value("http://${ORDERS_ADDR:orders}/orders") String ordersUrl, ClientSettings settings) {
        this.restTemplate = restTemplate;
        this.usersUrl = usersUrl;
        this.ordersUrl = ordersUrl;
        this.settings = settings;
    }

    @GetMapping("/all")
    void all(long id) {
        restTemplate.getForObject(usersUrl + "/users/" + id, User.class);
        restTemplate.getForObject(stockUrl + "/items", Item.class);
        restTemplate.getForObject(ordersUrl + "/" + id, Order.class);
        restTemplate.getForObject(settings.getUsersUrl() + "/groups", Group.class);
        restTemplate.getForObject(environment.getProperty("clients.users-url") + "/roles", Role.class);
    }
}

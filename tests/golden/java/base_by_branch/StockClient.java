import org.springframework.web.client.RestTemplate;

public class StockClient {
    private final RestTemplate rest = new RestTemplate();
    private final String base;

    public StockClient(String host, boolean legacy) {
        if (legacy) {
            this.base = host + "/api/v1";
        } else {
            this.base = host + "/api/v2";
        }
    }

    public String entries(long product) {
        return rest.getForObject(base + "/products/" + product + "/entries", String.class);
    }
}

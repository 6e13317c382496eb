import java.net.URI;
import java.net.URL;
import org.springframework.web.client.RestTemplate;

class Client {
    RestTemplate http = new RestTemplate();
    String host, base;

    Client(String host, String base) {
        this.host = host;
        this.base = base.endsWith("/") ? base : base + "/";
    }

    void parts() throws Exception {
        http.getForObject(new URI("http", null, host, 80, "/parts", null, null), String.class);
        http.delete(new URL("http", host, 80, "/ports").toString());
    }

    void users() {
        http.getForObject(base + "users", String.class);
    }
}

import java.net.URI;
import java.net.http.*;

class Orders {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;

    Orders(String base) { this.base = base; }

    private void request(String method, String... parts) throws Exception {
        String url = base + "/v1/" + String.join("/", parts);
        http.send(HttpRequest.newBuilder(URI.create(url)).method(method, null).build(), null);
    }

    void all() throws Exception { request("GET", "orders"); }

    void cancel(String id) throws Exception { request("POST", "orders", id, "cancel"); }
}

package shop;

import java.net.HttpURLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;

class Calls {
    private static final String BASE = System.getenv().getOrDefault("USERS_URL", "http://users:8080");

    void client(long id) throws Exception {
        HttpRequest get = HttpRequest.newBuilder(URI.create(BASE + "/users/" + id)).build();
        HttpRequest post = HttpRequest.newBuilder()
            .uri(new URI("http://orders/orders"))
            .header("A", "b")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
        HttpRequest patch = HttpRequest.newBuilder().uri(URI.create(String.format("%s/users/%d", BASE, id)))
            .method("PATCH", HttpRequest.BodyPublishers.noBody()).build();
    }

    void connection(long id) throws Exception {
        URL url = new URL(BASE + "/users/" + id);
        HttpURLConnection c = (HttpURLConnection) url.openConnection();
        c.setDoOutput(true);
        c.setRequestMethod("DELETE");
        InputStream in = new URL("http://catalog/products").openStream();
        door.openConnection("http://nothing");
        database.openConnection();
    }
}

package shop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import org.springframework.web.util.UriUtils;

class Client {
    private final HttpClient http = HttpClient.newHttpClient();

    String get(String path) throws Exception {
        String escaped = UriUtils.encodePath(path, "UTF-8");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://orders" + escaped)).GET().build();
        return http.send(request, null).toString();
    }
}

import java.net.http.*;
class Client {
  HttpClient http;
  String get(String path) { return http.send(HttpRequest.newBuilder().uri(URI.create("https://j.example/base" + path)).GET().build()); }
}
abstract class Resource {
  protected final Client client;
  Resource(Client client) { this.client = client; }
  protected abstract String path();
  String all() { return client.get(path()); }
  String one(String id) { return client.get(path() + "/" + id); }
}
class Cars extends Resource { Cars(Client c) { super(c); } protected String path() { return "/cars"; } }
class Boats extends Resource { Boats(Client c) { super(c); } protected String path() { return "/boats"; } }

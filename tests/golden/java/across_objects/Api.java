package shop;
import okhttp3.*;
import org.springframework.web.client.RestTemplate;
class Api {
  record Call(String verb, String path) {}
  final Resource<Item> items = new Resource<>(new RestTemplate(), "items");
  final Resource<Shelf> shelves = new Resource<>(new RestTemplate(), "shelves");
  private final OkHttpClient http = new OkHttpClient();
  Response run(Call c) throws Exception {
    Request.Builder b = new Request.Builder();
    b.header("a", "b");
    b.url("http://stock/v1" + c.path());
    b.method(c.verb(), null);
    return http.newCall(b.build()).execute();
  }
}

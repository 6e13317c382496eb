import org.springframework.web.client.RestTemplate;
import java.util.List;
class A {
  RestTemplate rest = new RestTemplate();
  static final List<String> P = List.of("/a", "/b");
  void one() { rest.getForObject("http://shop" + P.get(1), String.class); }
  void two(boolean admin) {
    String url = "http://shop/users";
    if (admin) { url += "/admin"; }
    rest.getForObject(url, String.class);
  }
  void three() { rest.getForObject("http://shop" + List.of("/c","/d").get(1), String.class); }
  void four() { rest.getForObject(String.format("http://shop/%2$s/%1$s", "b", "a"), String.class); }
}

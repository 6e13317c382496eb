import org.springframework.web.client.RestTemplate;
import java.net.*; import java.util.*;
class A { static final String BASE = "http://shop/api"; RestTemplate r = new RestTemplate();
void f1(String id) { r.getForObject(String.join("/", List.of(BASE, "a6")), String.class); }
void f2(String id) { r.getForObject(BASE + "/a15".toLowerCase(), String.class); }
void f3(String id) { r.getForObject(BASE.substring(0, 3) + "/a26", String.class); }
}

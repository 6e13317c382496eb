import org.springframework.web.client.RestTemplate;
import org.springframework.http.HttpMethod;
import java.util.Map; import java.util.HashMap;
class Req { String path; HttpMethod method; 
  void setPath(String p) { this.path = p; } 
  void setMethod(HttpMethod m) { this.method = m; } 
  String getPath() { return path; } HttpMethod getMethod() { return method; } }
class Api {
  RestTemplate rest = new RestTemplate();
  void send(Req r) { rest.exchange("http://shop" + r.path, r.method, null, String.class); }
  void send2(Req r) { rest.exchange("http://shop" + r.getPath(), r.getMethod(), null, String.class); }
  void orders() { Req r = new Req(); r.path = "/orders"; r.method = HttpMethod.GET; send(r); }
  void users() { Req r = new Req(); r.setPath("/users"); r.setMethod(HttpMethod.POST); send2(r); }
  void params() { Map<String,String> m = new HashMap<>(); m.put("path", "/params"); rest.getForObject("http://shop" + m.get("path"), String.class); }
}

package shop;
import org.springframework.web.client.RestTemplate;
class Resource<T> {
  private final RestTemplate rest;
  private final String name;
  Resource(RestTemplate rest, String name) { this.rest = rest; this.name = name; }
  T read(long id) { return rest.getForObject("http://stock/v1/" + name + "/" + id, type()); }
  T add(T o) { return rest.postForObject("http://stock/v1/" + name, o, type()); }
}

package app;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.RestClient;
import org.springframework.http.*;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.reactive.function.client.WebClient;

public class Uses {
  private final RestTemplate usersTemplate;
  private final WebClient stockClient;
  private final RestClient inventoryClient;
  private final WebClient ratings;
  private final RestTemplate rest;
  @Value("${services.stock.base-url}") String stock;
  public Uses(RestTemplate usersTemplate, WebClient stockClient, RestClient inventoryClient, WebClient.Builder builder) {
    this.usersTemplate = usersTemplate;
    this.stockClient = stockClient;
    this.inventoryClient = inventoryClient;
    this.ratings = builder.baseUrl("http://ratings").build();
    this.rest = new RestTemplate();
  }
  void a(String id) {
    usersTemplate.getForObject("/users/{id}", String.class, id);
    stockClient.get().uri("/stock/{id}", id).retrieve();
    stockClient.get().uri(u -> u.path("/stock").queryParam("a", 1).build()).retrieve();
    stockClient.post().uri(u -> u.path("/stock/{id}/take").build(id)).retrieve();
    inventoryClient.put().uri("/items/{id}", id).retrieve();
    ratings.delete().uri("/ratings/" + id).retrieve();
  }
  void b(String id) {
    String url = UriComponentsBuilder.fromHttpUrl(stock).path("/stock/{id}").queryParam("x", 1).buildAndExpand(id).toUriString();
    rest.exchange(url, HttpMethod.GET, null, String.class);
    UriComponentsBuilder b = UriComponentsBuilder.fromUriString(stock + "/find");
    b.queryParam("q", "x");
    rest.exchange(b.toUriString(), HttpMethod.POST, null, String.class);
    UriComponentsBuilder c = UriComponentsBuilder.newInstance().scheme("http").host("stock").port(8082).path("/count");
    rest.getForObject(c.build().toUri(), String.class);
    rest.getForObject(URI.create(String.format("%s/sum/%s", stock, id)), String.class);
    RequestEntity<Void> r = RequestEntity.get(stock + "/r/" + id).build();
    rest.exchange(r, String.class);
  }
}

package app;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.context.annotation.*;

@Configuration
public class Clients {
  @Value("${services.users.url}") private String usersUrl;
  @Bean
  public RestTemplate usersTemplate(RestTemplateBuilder builder) {
    return builder.rootUri(usersUrl).setConnectTimeout(null).build();
  }
  @Bean
  WebClient stockClient(WebClient.Builder builder, @Value("${services.stock.base-url}") String base) {
    return builder.baseUrl(base).defaultHeader("a", "b").build();
  }
  @Bean
  RestClient inventoryClient(@Value("${inventory.base}") String base) {
    return RestClient.builder().baseUrl(base).build();
  }
}

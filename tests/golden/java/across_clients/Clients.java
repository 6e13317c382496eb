package shop;

@Configuration
public class Clients {
    @Bean
    WebClient ordersClient(WebClient.Builder builder) {
        return builder.baseUrl("http://orders").build();
    }
}

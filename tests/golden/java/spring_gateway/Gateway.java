package shop;

import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;

@Configuration
class Gateway {
  static final String CARTS = "http://carts:8080";

  @Bean
  RouteLocator routes(RouteLocatorBuilder builder) {
    return builder.routes()
        .route("users", r -> r.path("/api/users/**", "/api/people/{id}").filters(f -> f.stripPrefix(1)).uri("lb://users"))
        .route(r -> r.path("/carts/**").and().method(HttpMethod.GET)
            .filters(f -> f.rewritePath("/carts/(?<rest>.*)", "/v1/${rest}").addRequestHeader("a", "b")).uri(CARTS))
        .route(r -> r.path("/orders/**").uri(Targets.ORDERS))
        .route(r -> r.host("**.example.com").uri("lb://all"))
        .build();
  }
}

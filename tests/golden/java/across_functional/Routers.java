package app;
import org.springframework.web.reactive.function.server.*;
import static org.springframework.web.reactive.function.server.RouterFunctions.*;
import static org.springframework.web.reactive.function.server.RequestPredicates.*;
@Configuration
public class Routers {
  @Bean RouterFunction<ServerResponse> a(Handler h) {
    return route().path("/v1", b -> b
        .nest(accept(JSON), c -> c.GET("/people/{id}", h::person).POST("/people", h::add))
        .path("/inner", d -> d.DELETE("/{id}", h::del)))
      .build();
  }
  @Bean RouterFunction<ServerResponse> b(Handler h) {
    return nest(path("/v2"), route(GET("/a"), h::a).andRoute(POST("/b").and(contentType(JSON)), h::b).andNest(path("/c"), route(PUT("/d"), h::d)));
  }
  @Bean RouterFunction<ServerResponse> c(Handler h) {
    return nest(path("/v3"), Other.routes(h)).and(route(GET("/top"), h::t));
  }
  @Bean RouterFunction<ServerResponse> d(Handler h) {
    return route().nest(path("/v4"), b -> { b.GET("", h::list); b.GET("/{id}", RequestPredicates.accept(JSON), h::one); }).add(Other.routes(h)).build();
  }
  @Bean RouterFunction<ServerResponse> e(Handler h) {
    return RouterFunctions.route(RequestPredicates.GET("/e").and(RequestPredicates.accept(JSON)), h::e).andRoute(RequestPredicates.method(HttpMethod.PUT).and(path("/f")), h::f);
  }
}

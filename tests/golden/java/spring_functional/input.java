package shop;

import org.springframework.web.reactive.function.server.RouterFunction;

class Routes {
    private static final String API = "/api";

    @Bean
    RouterFunction<ServerResponse> predicates(UserHandler handler) {
        return route(GET("/users/{id}"), handler::get)
            .andRoute(POST("/users").and(accept(APPLICATION_JSON)), handler::create)
            .andRoute(RequestPredicates.DELETE("/users/{id}"), request -> ServerResponse.noContent().build());
    }

    @Bean
    RouterFunction<ServerResponse> builder(OrderHandler handler) {
        return RouterFunctions.route()
            .GET("/orders", handler::list)
            .path(API + "/orders", b -> b
                .PUT("/{id}", accept(APPLICATION_JSON), handler::change)
                .PATCH("/{id}", handler::patch))
            .nest(path("/inner"), b -> b.GET("/x", handler::inner))
            .build();
    }

    RouterFunction<ServerResponse> nested(OrderHandler handler) {
        return nest(path("/outer"), route(GET("/y"), handler::outer));
    }

    void unrelated(Map<String, String> map, Client client) {
        map.get("/nothing");
        client.GET("/nothing");
        // route(GET("/nothing/comment"), handler::none);
    }
}

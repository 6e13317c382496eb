package app;

import static io.javalin.apibuilder.ApiBuilder.*;

import io.javalin.Javalin;

public class Main {
    public static void main(String[] args) {
        Orders orders = new Orders();
        Javalin.create(config -> {
            config.router.contextPath = "/shop";
            config.router.apiBuilder(() -> path("api", () -> {
                path("orders", orders);
                path("users", Users::routes);
                path("items", new Items()::register);
                get("ping", ctx -> ctx.result("pong"));
            }));
        }).start(7000);
    }
}

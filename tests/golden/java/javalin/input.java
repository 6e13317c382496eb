package shop;

import io.javalin.Javalin;
import static io.javalin.apibuilder.ApiBuilder.*;

class Main {
    public static void main(String[] args) {
        Javalin app = Javalin.create().start(7000);
        app.get("/users/{id}", ctx -> ctx.result(map.get("/nothing")));
        app.post("/users", UserController::create);
        app.routes(() -> {
            path("orders", () -> {
                get(OrderController::list);
                put("{id}", OrderController::change);
            });
        });
        app.before("/nothing", ctx -> { });
        cache.put("/nothing", value);
    }
}

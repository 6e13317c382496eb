package shop;

import static spark.Spark.*;

class Main {
    static final String USERS = "/users";

    public static void main(String[] args) {
        get(USERS + "/:id", (request, response) -> map.get("/nothing"));
        Spark.post(USERS, Main::create);
        path("/api", () -> {
            path("/orders", () -> {
                delete("/:id", (request, response) -> "");
            });
        });
        before("/nothing/*", (request, response) -> { });
        map.get("/nothing", "default");
    }
}

package shop;

import static spark.Spark.*;

class Main {
    public static void main(String[] args) {
        port(8080);
        path("/api", () -> {
            UserRoutes.register();
        });
        new OrderRoutes().register();
    }
}

package shop;

import static spark.Spark.*;

class UserRoutes {
    static void register() {
        get(Paths.USERS, (request, response) -> "");
        delete(Paths.USERS + "/:id", (request, response) -> "");
    }
}

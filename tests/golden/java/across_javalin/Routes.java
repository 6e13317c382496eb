package shop;

import io.javalin.Javalin;

class Paths {
    static final String USERS = "/api/users";
}

class UserRoutes {
    private final Javalin app;

    UserRoutes(Javalin app) { this.app = app; }

    void register() {
        app.get(Paths.USERS, UserController::all);
        app.delete(Paths.USERS + "/{id}", UserController::drop);
    }
}

class OrderRoutes {
    static void register(Javalin javalin) {
        javalin.post(Urls.ORDERS, ctx -> { });
    }
}

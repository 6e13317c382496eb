package shop;

import io.javalin.Javalin;

class Main {
    public static void main(String[] args) {
        Javalin app = Javalin.create().start(7000);
        new UserRoutes(app).register();
        OrderRoutes.register(app);
    }
}

package app;

import static io.javalin.apibuilder.ApiBuilder.*;

class Users {
    static void routes() {
        get("{id}", ctx -> ctx.result("user"));
    }
}

class Items {
    void register() {
        put("{id}", ctx -> ctx.result("item"));
    }
}

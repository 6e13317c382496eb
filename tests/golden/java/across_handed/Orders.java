package app;

import static io.javalin.apibuilder.ApiBuilder.*;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.Context;

class Orders implements EndpointGroup {
    @Override
    public void addEndpoints() {
        get(this::list);
        path("{id}", () -> delete(this::list));
        path("lines", Lines::routes);
    }

    void list(Context ctx) {}
}

class Lines {
    static void routes() {
        post("new", ctx -> ctx.result("made"));
    }
}

import org.springframework.web.reactive.function.server.RouterFunction;

class Functionals {
    void all(Table table, RouterFunction<?> routes) {
        table.GET("/not/a/route", 1);
        table.route("/not/a/route", this::found);
        // RouterFunctions.route(GET("/not/a/route"), handler::list);
    }

    void found() { }
}

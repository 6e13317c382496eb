import io.vertx.core.shareddata.LocalMap;
import io.vertx.ext.web.RoutingContext;

class Vertxs {
    void all(RoutingContext context, LocalMap<String, String> map) {
        map.get("/not/a/route");
        map.put("/not/a/route", "x");
        context.get("/not/a/route");
        context.request().path();
        context.reroute("/not/a/route");
    }
}

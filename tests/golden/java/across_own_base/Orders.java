package app;
import static spark.Spark.*;
public class Orders extends Base implements Controller {
    @Override public String controllerBasePath() { return Routes.Orders.BASE; }
    public void setup() {
        path(controllerPath(), () -> {
            get("", this::list);
            get(Routes.Orders.ID, this::one);
        });
    }
}
class Routes { static class Orders { public static final String BASE = "/api/orders"; static final String ID = "/:id"; } }
class Users extends Base implements Controller {
    @Override public String controllerBasePath() { return "/api/users"; }
    public void setup() {
        path(controllerPath(), () -> { get("", this::list); });
    }
}

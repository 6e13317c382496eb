package app;

import static spark.Spark.*;

import spark.RouteGroup;

class Admin {
    static void start() {
        path("/admin", () -> path("/jobs", new Jobs()));
        path("/admin", Reports::routes);
    }
}

class Jobs implements RouteGroup {
    @Override
    public void addRoutes() {
        get("/:id", (request, response) -> "job");
    }
}

class Reports {
    static void routes() {
        get("/reports", (request, response) -> "reports");
    }
}

import io.javalin.Javalin;

class Javalins {
    private final Cache cache = new Cache();

    void all(Context ctx) {
        ctx.path("/not/a/route");
        ctx.get("/not/a/route", 1);
        cache.put("/not/a/route", ctx);
        cache.get("/not/a/route", () -> null);
    }
}

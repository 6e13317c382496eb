import io.javalin.Javalin;
import java.util.*;
class B {
  record R(String verb, String path) {}
  static final List<R> ROWS = List.of(new R("GET", "/a"), new R("POST", "/b"));
  static final String[] PATHS = {"/c", "/d"};
  static final Map<String, String> M = Map.of("/e", "x", "/f", "y");
  static void main(String[] a) {
    Javalin app = Javalin.create();
    for (R r : ROWS) app.get("/r" + r.path(), ctx -> {});
    ROWS.forEach(r -> app.post("/l" + r.path(), ctx -> {}));
    for (String p : PATHS) app.get("/p" + p, ctx -> {});
    for (int i = 0; i < PATHS.length; i++) app.get("/i" + PATHS[i], ctx -> {});
    Arrays.stream(PATHS).map(p -> "/s" + p).forEach(p -> app.get(p, ctx -> {}));
    M.forEach((k, v) -> app.get("/m" + k, ctx -> {}));
    for (var p : M.keySet()) app.get("/ks" + p, ctx -> {});
  }
}

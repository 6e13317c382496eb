import io.javalin.Javalin;
import java.util.*;
class C {
  static final String[] PATHS = {"/c", "/d"};
  static void main(String[] a) {
    Javalin app = Javalin.create();
    for (String p : Arrays.stream(PATHS).map(x -> "/s1" + x).toList()) app.get(p, ctx -> {});
    for (String p : List.of("/1").stream().map(x -> "/s2" + x).toList()) app.get(p, ctx -> {});
    List.of("/1").stream().map(x -> "/s3" + x).forEach(p -> app.get(p, ctx -> {}));
    List.of("/1").stream().forEach(p -> app.get("/s4" + p, ctx -> {}));
  }
}

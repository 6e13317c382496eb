package shop;
import io.javalin.http.*;
import java.util.List;
class Table {
  record Row(HandlerType verb, String path, Handler run) {}
  static final List<Row> ROWS = List.of(
    new Row(HandlerType.GET, "/stock", Stock::all),
    new Row(HandlerType.PUT, "/stock/{sku}", Stock::set));
  enum Job {
    START(HandlerType.POST, "/jobs"),
    STOP(HandlerType.DELETE, "/jobs/{id}");
    private final HandlerType verb;
    private final String path;
    Job(HandlerType verb, String path) { this.verb = verb; this.path = path; }
    HandlerType verb() { return verb; }
    String getPath() { return "/admin" + path; }
  }
}

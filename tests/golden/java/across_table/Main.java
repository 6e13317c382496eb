package shop;
import io.javalin.Javalin;
class Main {
  public static void main(String[] args) {
    Javalin app = Javalin.create();
    for (Table.Row row : Table.ROWS)
      app.addHttpHandler(row.verb(), row.path(), row.run());
    for (Table.Job job : Table.Job.values())
      app.addHttpHandler(job.verb(), "/v2" + job.getPath(), ctx -> run(job, ctx));
    for (Plugin plugin : Plugin.load())
      app.addHttpHandler(plugin.verb(), plugin.path(), plugin);
  }
}

package shop
import io.javalin.Javalin
import io.javalin.apibuilder.ApiBuilder.*
fun main() {
  val app = Javalin.create().start(7000)
  app.get("/users/{id}") { ctx -> ctx.result(one(ctx)) }
  app.post("users", Users::add)
}
fun more(app: Javalin) {
  app.delete("/users/{id}", Users::drop)
  path("/v2") {
    path("stock") { get(Stock::all) }
  }
}

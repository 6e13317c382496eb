package shop
import io.javalin.Javalin
import io.javalin.apibuilder.ApiBuilder.*
fun main() {
  val app = Javalin.create { c ->
    c.router.apiBuilder {
      path("/v1") { items() }
    }
  }
  app.get("/health") { ctx -> ctx.result("ok") }
  app.post("/login", Login::run)
  app.start(7000)
}

package shop
import io.javalin.apibuilder.ApiBuilder.*
fun items() {
  path("items") {
    get(Items::all)
    post(Items::add)
    delete("{id}") { ctx -> Items.drop(ctx) }
  }
}

import io.ktor.server.routing.*
fun Routing.all() {
  listOf("/a", "/b").forEach { path -> get("/l$path") { } }
  listOf("/c", "/d").forEach { get("/it$it") { } }
  listOf("/e").map { "/m$it" }.forEach { p -> get(p) { } }
  for (p in listOf("/f")) get("/for$p") { }
  mapOf("/g" to "x").forEach { (k, v) -> get("/map$k") { } }
  for ((k, v) in mapOf("/h" to "x")) get("/fm$k") { }
  listOf("/i" to "x").forEach { (p, v) -> get("/pr$p") { } }
}

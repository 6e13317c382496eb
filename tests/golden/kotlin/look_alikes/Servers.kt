package look
import io.javalin.http.Context
import jakarta.ws.rs.core.Response
// names of Javalin, JAX-RS and generated clients that mean something else
class Servers(private val cache: Cache, private val repo: Repo) {
  fun a(id: String) {
    cache.get("/users", id)
    repo.post("/users", this::save)
    val file = path("/etc") { it.readText() }
    file.get(id)
  }
  @GET
  fun notOfAResource() = 1
  fun retry() = RequestConfig(timeout = 3, retries = 2)
}
annotation class Audited(val path: String)
class Plain {
  @Audited("/users")
  fun b() = 1
}

package shop
import io.ktor.client.*
import io.ktor.client.request.*
import io.ktor.http.*
data class Call(val path: String, val verb: HttpMethod = HttpMethod.Get, val retries: Int = 3)
enum class Job(val verb: HttpMethod, private val part: String) {
  START(HttpMethod.Post, "jobs"),
  STOP(HttpMethod.Delete, "jobs/current");
  fun url() = "http://stock/v2/$part"
}
object Paths {
  val table = mapOf("prices" to "/prices", "price" to "/prices/current")
}
class Items(private val http: HttpClient, private val name: String) {
  suspend fun all() = http.get("http://stock/v1/$name")
}
class Api(private val http: HttpClient) {
  val items = Items(http, "items")
  val shelves = Items(http, "shelves")
  suspend fun run(c: Call) = http.request("http://stock/v1${c.path}") { method = c.verb }
  suspend fun start(j: Job) = http.request(j.url()) { method = j.verb }
  suspend fun price() = http.get("http://stock" + Paths.table["price"])
}

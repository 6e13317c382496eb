package shop
import io.ktor.client.*
import io.ktor.client.request.*
import io.ktor.http.*
import okhttp3.Request
class Calls(private val http: HttpClient, private val base: String) {
  suspend fun a() = http.request { method = HttpMethod.Put; url("http://stock/a") }
  suspend fun b() = http.request("http://stock/b") { method = HttpMethod.Patch }
  suspend fun c() = http.get { url { protocol = URLProtocol.HTTPS; host = "stock"; path("c", "all") } }
  suspend fun d(id: String) = http.delete(base) { url { appendPathSegments("d", id) } }
  suspend fun e() = http.request(HttpRequestBuilder().apply { url("http://stock/e"); method = HttpMethod.Post })
  suspend fun f() = http.get(URLBuilder("http://stock").appendPathSegments("f").buildString())
  suspend fun g() = http.submitForm("http://stock/g")
  fun h(id: String) = Request.Builder().apply { url("http://stock/h/$id"); header("a", "b"); delete() }.build()
  fun i(body: RequestBody) = Request.Builder().url(listOf("http://stock", "i").joinToString("/"))
    .header("a", "b").header("c", "d").header("e", "f").header("g", "h").header("i", "j").method("PATCH", body).build()
  fun nothing() = map.apply { url("http://nothing/x"); method = HttpMethod.Post }
}

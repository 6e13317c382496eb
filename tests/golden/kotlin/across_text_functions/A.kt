import io.ktor.client.*
import io.ktor.client.request.*
const val BASE = "http://shop/api"
class A(val c: HttpClient) {
suspend fun f1(id: String) { c.get(BASE.plus("/a4")) }
suspend fun f2(id: String) { c.get("$BASE/a14".lowercase()) }
}

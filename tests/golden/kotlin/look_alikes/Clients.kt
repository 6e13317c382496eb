import io.ktor.client.HttpClient
import okhttp3.OkHttpClient

class Clients(val cache: Cache) {
    fun all() {
        cache.get("http://not/a/call")
        cache.put("http://not/a/call", 1)
    }
}

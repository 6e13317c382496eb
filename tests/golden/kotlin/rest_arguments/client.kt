import okhttp3.OkHttpClient
import okhttp3.Request

class Orders(private val client: OkHttpClient, private val base: String) {
    private fun request(method: String, vararg parts: String) {
        val url = base + "/v1/" + parts.joinToString("/")
        client.newCall(Request.Builder().url(url).method(method, null).build()).execute()
    }

    fun all() = request("GET", "orders")

    fun cancel(id: String) = request("POST", "orders", id, "cancel")
}

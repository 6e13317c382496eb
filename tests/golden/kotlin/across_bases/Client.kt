import okhttp3.OkHttpClient
import okhttp3.Request

class Client(private val host: String, private val base: String = "/control") {
    private val http = OkHttpClient()

    fun get(path: String) =
        http.newCall(Request.Builder().url("http://$host$base/$path").build()).execute()

    fun users() = get("users")
}

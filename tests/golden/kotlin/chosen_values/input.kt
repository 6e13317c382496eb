import okhttp3.OkHttpClient
import okhttp3.Request
class A(val client: OkHttpClient) {
    fun load(mode: Boolean) {
        val url = if (mode) "http://x/kt/one" else "http://x/kt/two"
        client.newCall(Request.Builder().url(url).build())
    }
    fun wh(kind: Int) {
        val url = when (kind) { 1 -> "http://x/kt/three"
            else -> "http://x/kt/four" }
        client.newCall(Request.Builder().url(url).build())
    }
}

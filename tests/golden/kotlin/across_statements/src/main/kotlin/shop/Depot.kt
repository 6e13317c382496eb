package shop

import okhttp3.OkHttpClient
import okhttp3.Request

class Depot(val client: OkHttpClient, val base: String) {
    fun text(id: String) {
        val url = StringBuilder(base)
        url.append("/crates/").append(id)
        client.newCall(Request.Builder().url(url.toString()).build())
    }

    fun builder(id: String) {
        val url = Uri.parse(base).buildUpon()
        url.appendPath("pallets")
        url.appendPath(id)
        client.newCall(Request.Builder().url(url.build().toString()).build())
    }

    fun checked(id: String?) {
        val url = if (id == null) throw IllegalArgumentException() else "$base/trucks/$id"
        client.newCall(Request.Builder().url(url).build())
    }
}

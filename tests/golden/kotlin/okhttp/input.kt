package shop

import okhttp3.Request

class Calls {
    val base = "http://users:8080"

    fun all(id: String, map: Map<String, String>) {
        val get = Request.Builder().url("$base/users/$id").build()
        client.newCall(Request.Builder().url("http://orders/orders").header("a", "b").post(body).build()).execute()
        Other.Builder().url("http://nothing").build()
    }
}

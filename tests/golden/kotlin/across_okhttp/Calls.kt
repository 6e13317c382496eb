package shop

import okhttp3.OkHttpClient
import okhttp3.Request

class Calls(private val client: OkHttpClient) {
    fun user(id: String) = client.newCall(Request.Builder().url("${Hosts.USERS}/users/$id").build()).execute()

    fun drop(id: String) = client.newCall(Request.Builder().url(Hosts.orders(id)).delete().build()).execute()
}

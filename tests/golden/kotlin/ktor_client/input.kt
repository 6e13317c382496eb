package shop

import io.ktor.client.*

const val USERS = "http://users:8080"

class Calls(private val http: HttpClient, private val cache: Cache) {
    suspend fun all(id: Long) {
        val user: User = http.get("$USERS/users/$id").body()
        http.post(USERS + "/users") { setBody(user) }
        val client = HttpClient(CIO)
        client.delete("http://orders/orders/${id}")
        cache.get("/nothing")
    }
}

package shop

import io.ktor.client.*
import io.ktor.client.request.*

class UsersClient(private val http: HttpClient, private val base: String) {
    suspend fun user(id: Long) = http.get("$base/users/$id")

    suspend fun drop(id: Long) = remove("/users/$id")

    private suspend fun remove(path: String) = http.delete(base + path)
}

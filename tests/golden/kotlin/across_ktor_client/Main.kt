package shop

import io.ktor.client.HttpClient

suspend fun main() {
    val users = UsersClient(HttpClient(), Hosts.USERS)
    users.user(1)
}

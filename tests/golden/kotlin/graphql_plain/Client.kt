package com.example

class Client(private val client: HttpGraphQlClient) {
    fun load(id: String) = client.document("""
        query OneUser(${'$'}id: ID!) {
          user(id: ${'$'}id) { id }
        }
    """).variable("id", id).retrieve("user")

    fun all() = client.document("query { users { id } }").retrieve("users")
}

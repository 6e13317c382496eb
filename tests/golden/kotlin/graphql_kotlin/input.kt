package com.example

import com.expediagroup.graphql.server.operations.Mutation
import com.expediagroup.graphql.server.operations.Query

class UserQuery : Query {
    fun users(): List<User> = listOf()

    private fun helper() = 1
}

class UserMutation : Mutation {
    suspend fun createUser(name: String): User = User(name)
}

class Plain : Base {
    fun nothing() = 1
}

package com.example

import org.springframework.data.jpa.repository.Query

// com.expediagroup.graphql is not taken in here: Query is a base of a search.
interface Repository {
    @Query("select u from User u")
    fun users(): List<User>
}

open class Search(val text: String)

class UserSearch : Search("users") {
    fun run() = 1
}

class Fields {
    @SchemaMapping(typeName = "User", field = "orders")
    fun orders(user: User): List<Order> = listOf()

    @DgsData(parentType = "User", field = "orders")
    fun ordersOf(): List<Order> = listOf()
}

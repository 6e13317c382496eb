package com.example

class Users {
    @QueryMapping
    fun users(): List<String> = listOf()
}

class Shows {
    @DgsQuery
    fun shows(): List<String> = listOf()
}

package com.example

import com.expediagroup.graphql.server.operations.Query

class Films : Query {
    fun films(): List<String> = listOf()
}

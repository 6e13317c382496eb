package com.example

import com.apollographql.apollo.ApolloClient

val client = ApolloClient.Builder().serverUrl("http://users:8080/graphql").build()

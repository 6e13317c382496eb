package com.example;

import com.apollographql.apollo.ApolloClient;

class Address {
	ApolloClient client() {
		return ApolloClient.builder().serverUrl("http://users/graphql").build();
	}
}

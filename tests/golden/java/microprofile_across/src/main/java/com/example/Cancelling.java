package com.example;

import org.eclipse.microprofile.graphql.GraphQLApi;
import org.eclipse.microprofile.graphql.Mutation;

@GraphQLApi
public class Cancelling {
	@Mutation
	public Order cancelOrder(String id) {
		return store.cancel(id);
	}
}

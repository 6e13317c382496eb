package com.example;

import org.eclipse.microprofile.graphql.GraphQLApi;
import org.eclipse.microprofile.graphql.Query;

@GraphQLApi
public class Orders {
	@Query("orders")
	public List<Order> all() {
		return store.all();
	}
}

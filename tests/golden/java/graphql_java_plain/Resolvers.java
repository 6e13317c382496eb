package com.example;

import graphql.kickstart.tools.GraphQLMutationResolver;
import graphql.kickstart.tools.GraphQLQueryResolver;

class OrderQueries implements GraphQLQueryResolver {
	public List<Order> getOrders() {
		return store.all();
	}
}

class OrderMutations implements GraphQLMutationResolver {
	public Order cancelOrder(String id) {
		return store.cancel(id);
	}
}

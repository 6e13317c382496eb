package com.example;

import graphql.kickstart.tools.GraphQLQueryResolver;

public class UserQueries implements GraphQLQueryResolver {
	public List<User> users() {
		return repository.all();
	}

	public User getUser(String id) {
		return help(id);
	}

	private User help(String id) {
		return repository.one(id);
	}
}

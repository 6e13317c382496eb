package com.example;

import org.springframework.data.jpa.repository.Query;

// Queries of a database; a resolver of no schema; a type's own field.
interface Repository {
	@Query("select u from User u")
	List<User> users();

	@Modifying
	@Query(value = "update User u set u.name = :name", nativeQuery = true)
	void rename(String name);
}

class Paths implements GraphQLQueryResolver {
	public String root() {
		return "/graphql";
	}
}

class Fields {
	@SchemaMapping(typeName = "User")
	public List<Order> orders(User user) {
		return List.of();
	}

	@DgsData(parentType = "User", field = "orders")
	public List<Order> ordersOf() {
		return List.of();
	}
}

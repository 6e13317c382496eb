package com.example;

class Client {
	User load(HttpGraphQlClient client, String id) {
		String document = """
			query OneUser($id: ID!) {
			  user(id: $id) { id }
			}
			""";
		return client.document(document).variable("id", id).retrieve("user").toEntity(User.class).block();
	}

	String plain() {
		return "mutation ($name: String!) {" +
			" createUser(name: $name) { id }" +
			"} # graphql";
	}
}

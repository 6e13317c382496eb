package com.example;

class Client {
	User load(HttpGraphQlClient client, String id) {
		return client.document("query OneUser($id: ID!) { user(id: $id) { id } }").variable("id", id).retrieve("user").toEntity(User.class).block();
	}
}

package com.example;

@Controller
class UserController {
	@QueryMapping
	public List<User> users(@Argument int first) {
		return service.all();
	}

	@QueryMapping("user")
	public User findOne(@Argument String id) {
		return service.one(id);
	}

	@MutationMapping(name = "createUser")
	public User create(@Argument String name) {
		return service.create(name);
	}

	@SubscriptionMapping
	public Flux<User> userAdded() {
		return service.added();
	}

	@SchemaMapping(typeName = "Query", field = "userCount")
	public int count() {
		return 1;
	}

	@SchemaMapping(typeName = "Query")
	public int version() {
		return 1;
	}

	@SchemaMapping
	public List<Order> orders(User user) {
		return List.of();
	}

	@SchemaMapping(typeName = "User", field = "friends")
	public List<User> friends(User user) {
		return List.of();
	}
}

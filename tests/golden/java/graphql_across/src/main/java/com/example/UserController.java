package com.example;

@Controller
class UserController {
	@MutationMapping
	public User createUser(@Argument String name) {
		return service.create(name);
	}
}

package com.example

@Controller
class UserController(private val service: UserService) {
    @QueryMapping
    fun users(@Argument first: Int): List<User> = service.all(first)

    @QueryMapping("user")
    fun findOne(@Argument id: String): User? = service.one(id)

    @MutationMapping(name = "createUser")
    suspend fun create(@Argument name: String): User = service.create(name)

    @SchemaMapping(typeName = "User", field = "orders")
    fun orders(user: User): List<Order> = listOf()
}

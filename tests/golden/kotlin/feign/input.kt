package shop

@FeignClient(name = "users", url = "\${users.url}", path = "/api")
interface UsersClient {
    @GetMapping("/users/{id}")
    fun get(@PathVariable id: Long): User

    @PostMapping(value = ["/users"], consumes = ["application/json"])
    fun create(@RequestBody user: User): User

    @RequestMapping(method = [RequestMethod.DELETE], value = ["/users/{id}"])
    fun remove(@PathVariable id: Long)

    fun unrelated()
}

@HttpExchange("http://stock")
interface Stock {
    @GetExchange("/items/{id}")
    fun item(@PathVariable id: Long): Item
}

interface Plain {
    @GetMapping("/nothing-consumed")
    fun described()
}

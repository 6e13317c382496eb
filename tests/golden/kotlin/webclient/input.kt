package shop

class Calls(builder: WebClient.Builder) {
    private val users = builder.baseUrl("http://users:8080/api").build()
    private val stock = WebClient.create("lb://stock")

    suspend fun all(id: Long, map: Map<String, String>) {
        users.get().uri("/users/{id}", id).retrieve().awaitBody<User>()
        users.post()
            .uri("/users")
            .bodyValue(id).retrieve()
        stock.delete().uri { it.path("/items/{id}").build(id) }.retrieve()
        stock.method(HttpMethod.PATCH).uri("/items/$id").retrieve()
        map.get("/nothing")
        webTestClient.get().uri("/nothing")
    }
}

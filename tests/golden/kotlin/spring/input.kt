package shop

@RestController
@RequestMapping("/api/orders", produces = ["application/json"])
class OrderController(private val map: Map<String, String>) {
    companion object {
        const val DETAIL = "/detail"
    }

    @GetMapping
    fun list(): List<Order> = emptyList()

    @GetMapping("/{id}", "/by-id/{id:[0-9]+}")
    fun get(@PathVariable id: Long): Order? { return map.get("/nothing") }

    @PostMapping(value = ["/new", "/create"], consumes = ["application/json"])
    fun create(@RequestBody order: Order) = order

    @RequestMapping(path = ["{id}/cancel"], method = [RequestMethod.POST, RequestMethod.PUT])
    fun cancel() {}

    @RequestMapping(value = DETAIL, method = RequestMethod.DELETE)
    fun detail() {}

    @RequestMapping("/any" + "/x")
    suspend fun any() {}

    @Mapping("/nothing")
    fun unrelated() {}
}

@FeignClient("users")
interface Users {
    @GetMapping("/nothing-provided")
    fun user(): User
}

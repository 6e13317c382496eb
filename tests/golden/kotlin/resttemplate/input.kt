package shop

class Calls(private val rest: RestTemplate, private val map: MutableMap<String, String>) {
    private val base = System.getenv("USERS_URL") ?: "http://users:8080"

    fun all(id: Long) {
        rest.getForObject("$base/users/{id}", User::class.java, id)
        rest.postForEntity<Order>("http://orders/orders", null)
        rest.exchange(UriComponentsBuilder.fromHttpUrl(base).path("/users").build().toUri(), HttpMethod.PUT, null, Unit::class.java)
        rest.delete(String.format("%s/users/%d", base, id))
        map.put("/nothing", "x")
    }
}

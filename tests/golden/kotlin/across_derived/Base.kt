package shop

import org.springframework.web.client.RestTemplate

abstract class Base(private val rest: RestTemplate, private val base: String) {
    protected fun fetch(path: String): String = rest.getForObject("$base$path", String::class.java)

    abstract val resource: String

    fun all(): String = rest.getForObject("$base/$resource", String::class.java)
}

class Users(rest: RestTemplate) : Base(rest, "http://users") {
    override val resource = "users"

    fun one(id: Long) = fetch("/users/$id")
}

class Orders(rest: RestTemplate) : Base(rest, "http://orders") {
    override val resource = "orders"

    fun one(id: Long) = fetch("/orders/$id")
}

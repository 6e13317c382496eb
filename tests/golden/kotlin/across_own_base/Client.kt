package shop

import org.springframework.web.client.RestTemplate

interface Resource {
    fun base(): String

    fun path(part: String): String {
        return base() + "/" + part
    }
}

class Orders(private val rest: RestTemplate) : Resource {
    override fun base() = "http://orders/orders"

    fun lines(id: String) = rest.getForObject(path("lines"), String::class.java)
}

class Users(private val rest: RestTemplate) : Resource {
    override fun base() = "http://users/users"

    fun all() = rest.getForObject(path("all"), String::class.java)
}

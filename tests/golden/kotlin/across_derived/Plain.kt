package shop

import org.springframework.web.client.RestTemplate

class Plain(private val rest: RestTemplate, private val root: String = "http://default") {
    fun one(id: Long): String = rest.getForObject("$root/plain/$id", String::class.java)
}

fun main() {
    Plain(RestTemplate(), root = "http://plain").one(1)
}

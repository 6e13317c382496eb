package shop

import org.springframework.http.HttpMethod
import org.springframework.web.client.RestTemplate

class Calls(private val rest: RestTemplate, private val urls: Urls) {
    fun user(id: Long): String? = rest.getForObject("${urls.users}/users/{id}", String::class.java, id)

    fun change(id: Long) = rest.exchange(Urls.ORDERS + "/orders/" + id, HttpMethod.PUT, null, String::class.java)
}

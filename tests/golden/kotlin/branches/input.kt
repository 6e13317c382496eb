import org.springframework.web.client.RestTemplate

class Trips(private val rest: RestTemplate) {
    fun eachBranch(id: String, train: Boolean) {
        var url = ""
        if (train) {
            url = "http://trains/trips/$id"
        } else {
            url = "http://buses/lines/$id"
        }
        rest.getForObject(url, String::class.java)
    }

    fun chosen(id: String, train: Boolean) {
        val url = if (train) "http://trains/all" else "http://buses/all"
        rest.delete(url)
    }

    fun oneAfterTheOther(id: String) {
        var url = "http://shop/first"
        rest.getForObject(url, String::class.java)
        url = "http://shop/second/$id"
        rest.getForObject(url, String::class.java)
    }
}

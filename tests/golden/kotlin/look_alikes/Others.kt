import io.gatling.javaapi.core.Simulation
import io.ktor.client.statement.HttpResponse
import okhttp3.Response
import org.springframework.web.client.RestTemplate
import org.springframework.web.reactive.function.client.WebClient
import retrofit2.Call

class Others(private val cache: Cache, private val rest: RestTemplate) : Simulation() {
    val a = feed("name").get("/not/a/call")

    fun ktor(response: HttpResponse) = response.headers.get("/not/a/call")

    fun okhttp(response: Response) = response.header("/not/a/call") + cache.url("http://not/a/call").build()

    fun template() {
        rest.interceptors.add(Tracing("http://not/a/call"))
        cache.put("http://not/a/call", 1)
        cache.delete("http://not/a/call")
    }

    fun web(client: WebClient, requests: Requests) {
        client.mutate().defaultHeader("Path", "/not/a/call")
        requests.get("x").path("/not/a/call")
    }
}

interface Named {
    @Named("users/not")
    fun named(): Call<User>
}

interface Described {
    @GetMapping("/not/a/call")
    fun described(): User
}

class Table {
    fun GET(path: String, n: Int) = Unit

    fun router(table: Table) {
        table.GET("/not/a/route", 1)
    }
}

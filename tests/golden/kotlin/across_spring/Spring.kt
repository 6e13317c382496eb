package app
import org.springframework.web.bind.annotation.*
import org.springframework.web.reactive.function.client.*
@RestController
class Impl : Api { override fun a(id: String) = "" }
@RestController @RequestMapping("/items") class Items(private val s: S) : Crud<Item>() { @GetMapping(value = ["/q"]) fun q() = 1; @DeleteMapping("/{id}", produces = ["a"]) fun d() {} }
@Configuration
class Routers {
  @Bean fun r(h: Handler) = router {
    "/v1".nest {
      GET("/cats", h::list)
      accept(JSON).nest { POST("/cats", h::add) }
      path("/dogs").nest { GET("/{id}") { h.dog(it) } }
    }
    GET("/plain", h::plain)
  }
  @Bean fun c(h: Handler) = coRouter { GET("/co/{id}", h::co) ; "/n".nest { DELETE("", h::d) } }
}
@Component
class Client(builder: WebClient.Builder, @Value("\${users.url}") private val url: String) {
  private val web = builder.baseUrl(url).build()
  suspend fun get(id: String) = web.get().uri("/users/{id}", id).retrieve().awaitBody<String>()
  fun post(id: String) { web.post().uri { it.path("/users/{id}").build(id) }.retrieve() }
}

import io.gatling.javaapi.core.*
import io.gatling.javaapi.http.HttpDsl.*

class OrdersSimulation : Simulation() {
    val protocol = http.baseUrl("http://orders")
    val scn = scenario("Orders")
        .exec(http("list").get("/orders"))
        .exec(http("one").put("/orders/#{id}"))
    val other = cache("name").get("/not")
}

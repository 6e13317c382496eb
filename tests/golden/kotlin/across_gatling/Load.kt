package load

import io.gatling.javaapi.core.*
import io.gatling.javaapi.http.HttpDsl.*

class Load : Simulation() {
    val protocol = http.baseUrl(Targets.ORDERS)
    val scn = scenario("Orders").exec(http("one").get(Targets.ONE)).exec(http("add").post("/orders"))
}

package load

import io.gatling.core.Predef._
import io.gatling.http.Predef._

class Load extends Simulation {
  val protocol = http.baseUrl("http://orders:8080")
  val scn = scenario("Orders")
    .exec(http("list").get("/orders?page=${page}"))
    .exec(http("drop").delete("/orders/${id}"))
  val header = cache("name").get("/nothing")
}

package example

import io.gatling.core.Predef._
import io.gatling.http.Predef._

class BasicSimulation extends Simulation {
  val httpProtocol = http.baseUrl("http://computers").acceptHeader("text/html")
  val root = "/computers"
  val scn = scenario("Browse")
    .exec(http("list").get(root))
    .exec(http("one").get("/computers/${id}").check(status.is(200)))
  val map = store("x").get("/not")
}

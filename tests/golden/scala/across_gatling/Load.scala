package load

import io.gatling.core.Predef._
import io.gatling.http.Predef._

class Load extends Simulation {
  val protocol = http.baseUrl(Targets.Orders)
  val scn = scenario("Orders").exec(http("one").get(Targets.One)).exec(http("add").post("/orders"))
}

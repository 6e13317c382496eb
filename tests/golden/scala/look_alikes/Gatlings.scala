import io.gatling.core.Predef._

class Gatlings extends Simulation {
  val a = feed("name").get("/not/a/call")
  val b = jms("ask").get("/not/a/call")
  // http("list").get("/not/a/call")
  val text = "http(\"list\").get(\"/not/a/call\")"
}

package shop

import org.apache.pekko.http.scaladsl.Http
import org.apache.pekko.http.scaladsl.server.Directives._

object Main extends App {
  val orders = new OrderRoutes(new Orders)
  val routes = pathPrefix("api") {
    orders.routes ~ new UserRoutes().routes
  } ~ pathPrefix("ops")(HealthRoutes.route)

  Http().newServerAt("0.0.0.0", 8080).bind(routes)
}

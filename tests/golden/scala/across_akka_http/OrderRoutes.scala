package shop

import org.apache.pekko.http.scaladsl.server.Directives._
import org.apache.pekko.http.scaladsl.server.Route

class OrderRoutes(orders: Orders) {
  val routes: Route = pathPrefix("orders") {
    pathEnd {
      get { complete(orders.all) }
    } ~ path(Segment / "lines") { id =>
      put { complete(orders.lines(id)) }
    }
  }
}

class UserRoutes {
  def routes: Route = path("users" / Segment) { name =>
    get { complete(name) }
  }
}

object HealthRoutes {
  val route = path("health") { get { complete("ok") } }
}

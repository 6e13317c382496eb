package shop

import akka.http.scaladsl.server.Directives._
import akka.http.scaladsl.server.Route

class Server(orders: OrderService) {
  val routes: Route = pathPrefix("api" / "v1") {
    path("orders" / LongNumber) { id =>
      get { complete(orders.get(id)) } ~
      delete { complete(orders.remove(id)) }
    } ~ path("orders") {
      (post & entity(as[Order])) { order => complete(orders.add(order)) }
    } ~ pathEndOrSingleSlash {
      get { complete("shop") }
    } ~ get {
      path("ping") { complete("pong") }
    }
  }
}

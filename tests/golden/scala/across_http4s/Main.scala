package shop

import cats.effect._
import org.http4s.server.Router

object Main extends IOApp.Simple {
  val orders = new OrderRoutes[IO](new Orders)
  val app = Router(
    "/api/v2" -> (orders.routes <+> UserRoutes.routes)
  ).orNotFound

  def run = Server.start(app)
}

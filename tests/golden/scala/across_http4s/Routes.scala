package shop

import cats.effect._
import org.http4s.HttpRoutes
import org.http4s.dsl.Http4sDsl

class OrderRoutes[F[_]: Sync](orders: Orders) extends Http4sDsl[F] {
  val routes: HttpRoutes[F] = HttpRoutes.of[F] {
    case GET -> Root / "orders" => Ok(orders.all)
  }
}

object UserRoutes {
  import org.http4s.dsl.io._

  def routes: HttpRoutes[IO] = HttpRoutes.of[IO] {
    case PUT -> Root / "users" / UUIDVar(id) => Ok()
  }
}

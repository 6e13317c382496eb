package shop

import cats.effect.IO
import org.http4s.HttpRoutes
import org.http4s.dsl.io._
import org.http4s.server.Router

object Server {
  val orders: HttpRoutes[IO] = HttpRoutes.of[IO] {
    case GET -> Root / "orders" / LongVar(id) => Ok(s"order $id")
    case request @ POST -> Root / "orders" => request.as[String].flatMap(Ok(_))
    case GET -> Root / "search" :? Query(text) +& Page(page) => Ok(text)
    case DELETE -> Root / "orders" / id / "lines" => NoContent()
  }
  val health = HttpRoutes.of[IO] { case GET -> Root / "health" => Ok() }

  val app = Router("/api" -> orders, "/" -> health).orNotFound
}

package shop

import akka.http.scaladsl.server.Directives._
import org.http4s.dsl.io._
import play.api.libs.ws.WSClient
import sttp.client3._

class Not(settings: Settings, requestCache: Map[String, String]) {
  val a = settings.path("orders").get
  val b = cache.get { "orders" }
  def c(x: Int) = x match {
    case GET -> Other / "orders" => 1
    case 7 => 2
  }
  val d = "path(\"orders\") { get { complete() } }"
  // path("orders") { get { complete("x") } }
  val e = requestCache.get("orders")
  val f = page.url("/orders").toString
  val g = HttpRequests(uri = "http://orders/x")
  val h = Route("/api" -> settings)
}

package shop

import akka.http.scaladsl.Http
import akka.http.scaladsl.model._
import play.api.libs.ws.WSClient
import sttp.client3._

class Clients(ws: WSClient, base: String) {
  def order(id: Long) = basicRequest.get(uri"http://orders/orders/$id").send(backend)

  def create(order: String) =
    basicRequest.header("X", "1").body(order).post(uri"http://orders/orders").send(backend)

  def user(name: String) =
    ws.url(s"http://users/users/$name").addHttpHeaders("X" -> "1").get()

  def rename(name: String, other: String) = ws.url("http://users/users/" + name).put(other)

  def patch(name: String) = ws.url(s"http://users/users/$name").execute("PATCH")

  def pay(id: Long) = Http().singleRequest(
    HttpRequest(method = HttpMethods.POST, uri = s"http://payments/payments/$id"))

  def status = Http().singleRequest(HttpRequest(uri = "http://payments/status"))

  def stock(id: Long) = requests.get(s"http://stock/items/$id")
}

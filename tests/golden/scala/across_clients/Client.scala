package shop

import org.http4s.client.Client
import org.http4s.implicits._
import sttp.client3._

class OrderClient(http: Client[IO]) {
  val base = uri"http://orders/api"

  def all = http.expect[String](base / "orders")

  def create(order: String) = http.expect[String](Request[IO](Method.POST, base / "orders"))
}

class Sender {
  def orders = basicRequest.get(uri"http://orders${Paths.orders}/all").send(backend)
}

package shop

import play.api.libs.ws.WSClient
import akka.http.scaladsl.model._

class WsClient(ws: WSClient) {
  def orders = ws.url("http://orders/api" + Paths.orders).get()

  def remove(id: Long) = requests.delete("http://orders" + Paths.orders + "/" + id)

  def send(id: Long) = HttpRequest(HttpMethods.PUT, "http://orders" + Paths.orders)
}

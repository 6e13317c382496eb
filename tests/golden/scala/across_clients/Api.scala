package shop

object Paths {
  val orders = "/orders"
}

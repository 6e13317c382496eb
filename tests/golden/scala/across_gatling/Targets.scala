package load

object Targets {
  val Orders = "http://orders:8080"
  val One = "/orders/${id}"
}

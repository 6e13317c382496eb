package load

object Targets {
    const val ORDERS = "http://orders:8080"
    const val ONE = "/orders/#{id}"
}

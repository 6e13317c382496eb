package shop

object Hosts {
    const val USERS = "http://users:8080"

    fun orders(id: String) = "http://orders/orders/$id"
}

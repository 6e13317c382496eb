package shop

const val ORDERS = "orders"

object Queues {
    const val MAIL = "shop.mail"
}

package shop

import org.springframework.beans.factory.annotation.Value

class Urls(@Value("\${users.url}") val users: String) {
    companion object {
        const val ORDERS = "http://orders"
    }
}

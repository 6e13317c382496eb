package shop

object Hosts {
    const val USERS = "http://users:8080"
}

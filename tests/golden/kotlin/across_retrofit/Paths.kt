package shop

object Paths {
    const val USER = "users/{id}"
}

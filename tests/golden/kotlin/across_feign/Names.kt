package shop

object Names {
    const val USERS = "users"
    const val API = "/api"
    const val ADD = "/users"
}

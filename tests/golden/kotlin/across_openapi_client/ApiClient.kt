package gen
open class ApiClient(val baseUrl: String)
class Client {
  val users = UsersApi("http://users/v4")
}

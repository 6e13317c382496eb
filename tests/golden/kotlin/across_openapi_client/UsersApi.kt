package gen
class UsersApi(basePath: String = defaultBase) : ApiClient(basePath) {
  companion object {
    val defaultBase: String by lazy { "http://accounts/v3" }
  }
  fun getUserRequestConfig(id: String) = RequestConfig(
    method = RequestMethod.GET,
    path = "/users/{id}".replace("{"+"id"+"}", encodeURIComponent(id)),
    body = null
  )
}

import io.ktor.client.HttpClient
import io.ktor.client.request.get
class Settings {
    var url = "http://users/v1"
    fun log() { val other = "http://wrong/v1"; println(other) }
}
val http = HttpClient()
suspend fun f() {
    // `other` is a local variable of a method, not a member
    val s = Settings()
    http.get(s.url + "/a")
    http.get(s.other + "/b")
}

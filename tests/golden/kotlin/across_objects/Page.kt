package shop
import io.ktor.http.*
class Page(private val api: Api) {
  suspend fun show() = api.items.all()
  suspend fun shelf() = api.shelves.all()
  suspend fun begin() = api.start(Job.START)
  suspend fun end() = api.start(Job.STOP)
  suspend fun read(id: String) = api.run(Call("/items/$id"))
  suspend fun drop(id: String) = api.run(Call(verb = HttpMethod.Delete, path = "/items/$id"))
}

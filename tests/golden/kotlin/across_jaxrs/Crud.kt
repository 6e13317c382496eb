package shop
import jakarta.ws.rs.*
interface Crud<T> {
  @GET fun all(): List<T>
  @DELETE @Path("/{id}") fun drop(@PathParam("id") id: Long)
}
open class Readable(private val repo: Repo) {
  @GET
  @Path("count")
  fun count() = repo.count()
}

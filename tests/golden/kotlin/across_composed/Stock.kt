package shop
import org.springframework.web.bind.annotation.*
@RestController
@RequestMapping("\${app.base:/internal}")
class Stock(private val repo: Repo) {
  @Search
  fun find() = repo.all()
  @Audited("/nothing")
  fun helper() {}
}

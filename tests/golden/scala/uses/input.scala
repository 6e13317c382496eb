package com.acme.shop
import com.acme.db.{UserRepo, Other => O, _}
import scala.util.Try
import a.b._

class Service(repo: UserRepo, val name: Option[String] = None) extends Base(name) with Named[User] {
  private val cache: Map[String, User] = Map()
  val size = cache.count()
  def find(id: String): Option[User] = {
    val u = repo.load(id)
    val (a, b) = split(u)
    for (x <- u.orders; y = x.z) x.run()
    u.map(_.save()).filter(o => o.price)
    u match { case h: Admin => h.go() case Some(z) => z.go() }
    helper(1)(2)
    val n = new Foo[Bar](3)
    n.run
    this.name
    super.find(id)
    O.make()
    xs foreach println
    Seq[Int](1).map { q => q.v }
    s"a ${u.label}"
  }
}
object Service { def apply(): Service = new Service(new UserRepo()) 
  given ord: Ordering[Service] = null }
trait Named[T] { self: Base => def x: T }

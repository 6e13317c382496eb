package t

trait Named { def name: String }
trait Sized extends Named
abstract class Base[T](val v: T)
class Plain(x: Int) extends Base[String]("a") with Sized with Serializable { def name = "p" }
case class Pair[A <: Named, +B](a: A, b: Option[B] = None) extends Named { def name: String = a.name }
object Single extends Base[Int](1) with Named { def name = "s" }
sealed trait Result[+T]
object Result { case class Ok[T](value: T) extends Result[T]; case object None extends Result[Nothing] }
enum Level extends Named { case Low, High; def name = "l" }
class Other { self: Named => type Id = Map[String, List[Plain]]; def f(x: => Base[Id], ys: Int*): Either[Plain, Id] = ??? }
trait Show[T]:
  def show(x: T): String
given Show[Plain] with
  def show(x: Plain) = x.name
def pick[T: Show](x: T)(using s: Show[T]): String = s.show(x)

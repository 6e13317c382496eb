package t

open class Base<T>
interface Named
interface Sized : Named
class Plain : Base<String>(), Sized
object Single : Base<Int>(), Named
enum class Level : Named { LOW }
sealed class Result<out T> {
    class Ok<T>(val value: T) : Result<T>()
    object None : Result<Nothing>()
}
typealias Users = Map<String, List<User>>
@Deprecated("no") class Old
fun <T : Named> pick(x: T?, f: (T) -> Base<T>): List<Base<T>>? = null
val list: MutableList<Sized> = mutableListOf()
fun check(x: Any) = x is Plain && (x as Base<*>).hashCode() == 1

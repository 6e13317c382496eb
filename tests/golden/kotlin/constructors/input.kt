package f

class Users
@Inject
constructor(
    private val store: Store,
) : Service {
    fun find(id: Int) = store.get(id)
}

open class Bytes
internal constructor(
    internal val data: ByteArray,
) : Comparable<Bytes> {
    fun size() = data.size
}

class Plain<T>
    @Named("x") private constructor(val x: T) {
    fun y() = x
}

class Empty

fun constructor(x: Int) = x

class Two {
    val kind: Int
    constructor(x: Int) { kind = x }
    class Inner
    constructor()
}

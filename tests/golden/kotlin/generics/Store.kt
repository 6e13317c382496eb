package shop

interface Shape { fun area(): Double }

class Square : Shape {
    override fun area(): Double = 1.0
    fun grow(): Square = this
}

open class Store<T : Shape>(val items: List<T>) {
    fun first(): T = items.first()
    fun total(): Double = first().area()
}

class Squares(items: List<Square>) : Store<Square>(items) {
    fun inherited() { first().grow() }
}

class Use(private val store: Store<Square>, private val list: List<Square>) {
    fun argument() { store.first().grow() }
    fun ofBase(s: Squares) { s.first().grow() }
    fun element() { list.first().grow() }
    fun <T : Shape> bound(t: T) { t.area() }
}

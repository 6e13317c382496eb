package app

import shapes.*

fun total(shapes: List<Shape>): Double {
    var sum = 0.0
    for (s in shapes) sum += s.area()
    val c = Circle(1.0)
    c.describe()
    c.rename()
    return sum
}

class Wrapper(private val inner: Circle) {
    fun show() = inner.describe()
    fun chain() = this.show().length
}

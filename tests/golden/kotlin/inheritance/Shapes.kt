package shapes

interface Shape {
    fun area(): Double
    fun describe(): String = "area ${area()}"
}

abstract class Base(val name: String) : Shape {
    open fun rename() {}
    protected fun log() {}
}

class Circle(val r: Double) : Base("circle") {
    override fun area(): Double {
        log()
        return r
    }
    override fun rename() {
        super.rename()
        describe()
    }
}

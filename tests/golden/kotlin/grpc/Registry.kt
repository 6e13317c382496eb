package hello

class Registry {
    fun sayHello(name: String) = println(name)
}

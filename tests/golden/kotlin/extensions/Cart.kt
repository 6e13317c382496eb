package shop.text

interface Priced { fun price(): Int }

class Item : Priced {
    override fun price(): Int = 1
}

class Cart {
    fun add(i: Item) {}
    fun all(): List<Item> = emptyList()
}

class Page {
    fun add(i: Item) {}
}

fun Cart.fill(i: Item): Cart {
    add(i)
    this.add(i)
    return this
}

private fun Page?.fill(i: Item) {}

infix fun <T : Priced> Cart.with(t: T) { t.price() }

fun Priced.label(): String = price().toString()

fun String.shout(): String = uppercase()

fun plain(c: Cart) {}

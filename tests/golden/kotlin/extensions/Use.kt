package shop.web

import shop.text.Cart
import shop.text.Item
import shop.text.fill
import shop.text.label
import shop.text.shout

class Use(private val cart: Cart, private val names: List<Item>) {
    fun byType() { cart.fill(Item()) }
    fun chained() { cart.fill(Item()).fill(Item()).add(Item()) }
    fun ofBase(i: Item) { i.label() }
    fun ofLibrary(s: String) { s.shout() }
    fun notOfIt(i: Int) { i.fill(Item()) }
}

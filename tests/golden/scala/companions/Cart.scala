package shop.model

class Cart(val items: List[Item]) {
  def total(): Int = Cart.sum(items)
  def grow(): Cart = this
}

object Cart {
  def empty: Cart = new Cart(Nil)
  def sum(items: List[Item]): Int = 1
}

case class Item(name: String) {
  def label(): String = name
}

object Item {
  def parse(s: String): Item = Item(s)
}

class Store[T](items: List[T]) {
  def first(): T = items.head
}

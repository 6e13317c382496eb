package shop.web

import shop.model.{Cart, Item, Store}

class Use(cart: Cart, store: Store[Item], list: List[Item]) {
  def made(): Unit = new Cart(Nil).grow()
  def member(): Unit = cart.grow()
  def ofObject(): Unit = Cart.empty.grow()
  def applied(): Unit = Item("x").label()
  def parsed(): Unit = Item.parse("x").label()
  def argument(): Unit = store.first().label()
  def element(): Unit = list.head.label()
  def callback(): Unit = list.foreach(i => i.label())
}

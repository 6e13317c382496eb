package app

import shapes._

class Wrapper(inner: Circle) {
  def show(): String = inner.describe()
  def chain(): Int = this.show().length
  def total(shapes: List[Shape]): Double = {
    for (s <- shapes) s.area()
    val c = new Circle(1.0)
    c.rename()
    c.describe()
    0.0
  }
}

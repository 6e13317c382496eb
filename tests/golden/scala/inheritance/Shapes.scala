package shapes

trait Shape {
  def area(): Double
  def describe(): String = "area " + area()
}

abstract class Base(val name: String) extends Shape {
  def rename(): Unit = ()
  protected def log(): Unit = ()
}

class Circle(val r: Double) extends Base("circle") {
  override def area(): Double = {
    log()
    r
  }
  override def rename(): Unit = {
    super.rename()
    describe()
  }
}

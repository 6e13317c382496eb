package p

object Tools {
  def twice(x: Int): Int = x * 2
  val Limit = 3
}

class Counter {
  private var n = 0
  def next(): Int = { n = Tools.twice(n); bump(); n }
  private def bump(): Unit = n += Tools.Limit
}

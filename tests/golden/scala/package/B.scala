package p

import Tools.twice

class CounterSpec extends AnyFunSuite {
  def run(): Unit = {
    val c = new Counter
    c.next()
    twice(2)
  }
}

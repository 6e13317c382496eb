package app

import io.Buffer
import io.now

fun main() {
  val b = Buffer()
  b.write("a").write("b", now().toInt())
}

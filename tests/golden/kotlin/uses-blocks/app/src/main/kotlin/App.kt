package app

import acme.io.Files
import acme.io.page

fun readText(): Int = 1

fun run(files: Files) {
  files.read("a") {
    val s = readText()
  }
  files.write("a") {
    writeText("x").writeText("y")
  }
  page {
    title("z")
  }
}

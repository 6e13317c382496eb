package acme

class Buffer {
  fun readUtf8(): String = ""
}

class Request(val method: String) {
  val body: Buffer = Buffer()
  var isDone: Boolean = false
}

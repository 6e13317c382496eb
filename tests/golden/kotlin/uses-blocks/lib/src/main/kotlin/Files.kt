package acme.io

class Source {
  fun readText(): String = ""
}

class Sink {
  fun writeText(text: String): Sink = this
}

class Files {
  fun <T> read(path: String, action: Source.() -> T): T = Source().action()
  fun write(path: String, action: Sink.() -> Unit) { Sink().action() }
}

class Page {
  fun title(text: String) {}
}

fun page(block: Page.() -> Unit): Page = Page()

package app

import acme.http.Factory

fun run(factory: Factory) {
  val client = factory("app")
  client.get("/")
}

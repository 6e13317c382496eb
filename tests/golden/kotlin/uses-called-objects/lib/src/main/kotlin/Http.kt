package acme.http

class Client {
  fun get(path: String): Int = 1
}

class Factory {
  operator fun invoke(app: String): Client = Client()
}

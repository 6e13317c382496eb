package shop

import scala.concurrent.Future

import shop.v1.greeter.{GreeterGrpc, Hello, Reply}

class GreeterImpl extends GreeterGrpc.Greeter {
  override def sayHello(request: Hello): Future[Reply] = Future.successful(Reply(request.name))
}

package shop

import akka.grpc.GrpcClientSettings

import shop.v1.{Greeter, Hello, Reply}

class AkkaGreeter extends Greeter {
  override def sayBye(in: Hello): Future[Reply] = ???
}

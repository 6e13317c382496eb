package shop

import io.grpc.ManagedChannel

import shop.v1.greeter.{GreeterGrpc, Hello}

class GreeterClient(channel: ManagedChannel) {
  private val blocking = GreeterGrpc.blockingStub(channel)
  private val stub = GreeterGrpc.stub(channel)

  def hello(name: String): String = blocking.sayHello(Hello(name)).text

  def bye(name: String) = stub.sayBye(Hello(name))
}

package hello

import hello.GreeterGrpcKt.GreeterCoroutineStub
import io.grpc.ManagedChannel

class Client(private val channel: ManagedChannel) {
    private val stub: GreeterCoroutineStub = GreeterCoroutineStub(channel)
    private val registry = Registry()

    suspend fun greet() {
        stub.sayHello(HelloRequest.getDefaultInstance())
        registry.sayHello("not a stub")
    }
}

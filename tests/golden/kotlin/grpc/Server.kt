package hello

class GreeterService : GreeterGrpcKt.GreeterCoroutineImplBase() {
    override suspend fun sayHello(request: HelloRequest): HelloReply {
        return reply(request.name)
    }

    private fun reply(name: String): HelloReply = HelloReply.getDefaultInstance()
}

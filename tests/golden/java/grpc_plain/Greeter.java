package hello;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import hello.GreeterGrpc.GreeterBlockingStub;

class Greeter {
	static class Impl extends GreeterGrpc.GreeterImplBase {
		@Override
		public void sayHello(HelloRequest request, StreamObserver<HelloReply> observer) {
		}

		void helper(String name) {
		}
	}

	@GrpcClient("greeter")
	private GreeterBlockingStub injected;
	private final GreeterGrpc.GreeterStub async;

	Greeter(ManagedChannel channel) {
		async = GreeterGrpc.newStub(channel).withWaitForReady();
	}

	void greet(ManagedChannel channel) {
		GreeterGrpc.newBlockingStub(channel).sayHello(null);
		var local = GreeterGrpc.newBlockingStub(channel);
		local.sayHelloAgain(null);
		injected.withDeadlineAfter(1, null).sayHello(null);
		async.sayHelloStream(null, null);
	}
}

package other;

import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;

class Other extends HealthGrpc.HealthImplBase {
	private final Stub stub = new Stub();
	private EventBase base;

	@Override
	public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> out) {
	}

	void run(HealthGrpc.HealthBlockingStub health) {
		stub.call();
		base.send("x");
		health.check(null);
	}

	static class Stub {
		void call() {
		}
	}
}

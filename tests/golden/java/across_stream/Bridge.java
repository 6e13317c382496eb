package shop;

import org.springframework.cloud.stream.annotation.Output;
import org.springframework.cloud.stream.annotation.StreamListener;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.cloud.stream.messaging.Sink;
import org.springframework.cloud.stream.messaging.Source;

class Bridge {
	private final StreamBridge bridge;
	private final Source source;

	void send(Order order) {
		bridge.send("mail-out-0", order);
		bridge.send(Names.DIRECT, order);
		source.output().send(order);
	}

	@StreamListener(Sink.INPUT)
	void old(Order order) {
	}

	@StreamListener("stock")
	void stock(Order order) {
	}
}

interface Channels {
	@Output("stock")
	MessageChannel stock();
}

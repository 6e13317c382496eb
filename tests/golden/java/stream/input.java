package shop;

import java.util.function.Consumer;
import org.springframework.cloud.stream.annotation.StreamListener;
import org.springframework.cloud.stream.function.StreamBridge;

class Bridge {
	private final StreamBridge bridge;

	void send(Order order, Mailer mailer) {
		bridge.send("mails", order);
		mailer.send("mails", order);
	}

	@StreamListener("stock")
	void stock(Order order) {
	}

	@Bean
	Consumer<Order> audit() {
		return order -> { };
	}
}

package shop;

import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.context.annotation.Bean;

/* Functions that nothing binds, and senders of one's own. */
class Functions {
	private Bridge bridge;

	@Bean
	Function<String, String> trim() {
		return String::trim;
	}

	@Bean
	Consumer<String> print() {
		return System.out::println;
	}

	void all(Outbox outbox) {
		bridge.send("orders", "x");
		outbox.output("orders").send("x");
		// streamBridge.send("orders", "x");
	}
}

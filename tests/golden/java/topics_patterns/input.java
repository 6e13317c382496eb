package shop;

import io.micronaut.configuration.kafka.annotation.KafkaClient;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.Topic;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Outgoing;

class Patterns {
	@KafkaListener(topicPattern = "orders\\..*")
	void all(String text) {
	}

	void subscribe(KafkaConsumer<String, String> consumer) {
		consumer.subscribe(Pattern.compile("payments-[a-z]+"));
		consumer.subscribe(Pattern.compile("stock.*"), listener);
	}
}

@KafkaListener(groupId = "shop")
class Listeners {
	@Topic("users")
	void user(String text) {
	}

	@Topic({"a", "b"})
	void both(String text) {
	}
}

@KafkaClient
interface Senders {
	@Topic("users")
	void send(String text);
}

class Reactive {
	@Channel("prices")
	Emitter<Double> prices;

	@Incoming("orders")
	@Outgoing("invoices")
	String process(String order) {
		return order;
	}
}

import com.example.events.KafkaListener;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.springframework.kafka.core.KafkaTemplate;

/* Senders and subscribers of their own beside Kafka's. */
class Kafkas {
	private KafkaTemplate<String, String> kafka;
	private Mailer mailer;
	private Newsletter newsletter;

	void all(RecordMetadata sent, java.util.List<String> names) {
		mailer.send("orders", "x");
		newsletter.subscribe("orders");
		newsletter.subscribe(names);
		names.stream();
		kafka.flush();
		kafka.partitionsFor("orders");
		kafka.setDefaultTopic(sent.topic());
		String text = "kafka.send(\"orders\", 1)";
	}
}

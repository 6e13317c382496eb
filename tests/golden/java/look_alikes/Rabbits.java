import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.ApplicationEventPublisher;

class Rabbits {
	private RabbitTemplate rabbit;
	private ApplicationEventPublisher events;
	private Converter converter;

	void all() {
		events.publishEvent("orders");
		converter.convertAndSend("orders", "x");
		converter.send("orders", "orders.created", "x");
		rabbit.setExchange("orders");
		rabbit.setRoutingKey("orders.created");
		/* rabbit.convertAndSend("orders", "x"); */
	}
}

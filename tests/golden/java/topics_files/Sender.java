package shop;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.kafka.core.KafkaTemplate;

class Sender {
	private final RabbitTemplate rabbit;
	private final KafkaTemplate<String, User> kafka;
	@Value("${shop.topics.users}")
	private String users;

	void send(Order order, User user) {
		rabbit.convertAndSend(Queues.MAIL, order);
		kafka.send(users, user);
		publish(Queues.ORDERS, order);
	}

	private void publish(String queue, Order order) {
		rabbit.convertAndSend(queue, order);
	}
}

package shop;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.kafka.annotation.KafkaListener;

class OrderListener {
	@RabbitListener(queues = Queues.ORDERS)
	public void onOrder(Order order) {
	}

	@KafkaListener(topics = "${shop.topics.users}", groupId = "shop")
	public void onUser(User user) {
	}

	@KafkaListener(topics = "${shop.topics.unknown:fallback}")
	public void onOther(User user) {
	}

	@RabbitListener(queues = "#{anonymousQueue.name}")
	public void onAnything(Order order) {
	}
}

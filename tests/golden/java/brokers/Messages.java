package shop;

import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import redis.clients.jedis.Jedis;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

class Messages {
	static final String CREATED = "orders.created";

	@SqsListener("orders")
	void onOrder(String body) {
	}

	@RabbitListener(bindings = @QueueBinding(value = @Queue("mine"), exchange = @Exchange("events"), key = CREATED))
	void onCreated(String body) {
	}

	Binding binding(org.springframework.amqp.core.Queue queue, TopicExchange exchange) {
		return BindingBuilder.bind(queue).to(exchange).with("stock.*");
	}

	void send(Jedis jedis, SqsClient sqs, Cache cache) {
		jedis.publish("notifications", "x");
		jedis.rpush("votes", "x");
		jedis.blpop(0, "votes");
		sqs.sendMessage(SendMessageRequest.builder().queueUrl("https://sqs.eu-west-1.amazonaws.com/1/orders").messageBody("x").build());
		cache.publish("nothing", "x");
	}
}

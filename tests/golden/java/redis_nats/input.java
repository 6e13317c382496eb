package shop;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStream;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.PatternTopic;
import redis.clients.jedis.Jedis;

class Messages {
	private final Connection connection;
	private final StringRedisTemplate redisTemplate;

	void nats(Dispatcher dispatcher, JetStream jetStream) {
		dispatcher.subscribe("orders.*");
		dispatcher.subscribe("mails.>", "workers");
		connection.publish("orders.created", "x".getBytes());
		connection.request("stock.get", null);
		jetStream.publish("orders.paid", "x".getBytes());
	}

	void redis(Jedis jedis) {
		jedis.publish("notifications", "x");
		jedis.rpush("votes", "x");
		jedis.blpop(0, "votes");
		jedis.xadd("orders-stream", id, map);
		redisTemplate.convertAndSend("shipped", "x");
		redisTemplate.opsForList().rightPush("jobs", "x");
		redisTemplate.opsForList().leftPop("jobs");
		redisTemplate.opsForStream().add("payments", map);
		container.addMessageListener(listener, new ChannelTopic("shipped"));
		container.addMessageListener(listener, new PatternTopic("news.*"));
	}
}

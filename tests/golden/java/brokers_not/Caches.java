package shop;

import io.nats.client.Connection;
import io.nats.client.Options;
import org.springframework.data.redis.core.RedisTemplate;
import redis.clients.jedis.Jedis;

class Caches {
	private RedisTemplate<String, String> redis;
	private Newsletter newsletter;
	private Page page;

	void all(Jedis jedis, Connection nats) {
		jedis.get("orders");
		jedis.set("orders", "x");
		redis.opsForValue().set("orders", "x");
		redis.delete("orders");
		newsletter.subscribe("orders");
		newsletter.request("orders", "x");
		page.publish("orders", "x");
		page.add("orders");
		nats.flush();
		new Options.Builder().server("nats://orders:4222").build();
	}
}

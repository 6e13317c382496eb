package shop;

import io.nats.client.Connection;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import redis.clients.jedis.Jedis;

class Bus {
	@Value("${shop.channel}")
	private String channel;
	private Connection nats;
	private JmsTemplate jms;

	@JmsListener(destination = "${shop.mailbox}")
	void onMail(String text) {
	}

	void created(Jedis jedis) {
		nats.publish(Names.CREATED, "x".getBytes());
		nats.subscribe(Names.CREATED);
		jedis.publish(channel, "x");
		jedis.rpush(Names.VOTES, "x");
		jedis.brpop(0, Names.VOTES);
		jms.convertAndSend(Names.VOTES, "x");
	}
}

package shop;

import io.smallrye.reactive.messaging.annotations.Blocking;
import org.eclipse.microprofile.reactive.messaging.Message;

/* Channels of others. */
class Channels {
	@Channel("orders")
	private java.nio.channels.FileChannel file;

	@Blocking("orders")
	void work(Message<String> message) {
		message.ack();
	}
}

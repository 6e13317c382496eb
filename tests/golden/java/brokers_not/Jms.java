package shop;

import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.core.JmsTemplate;

@EnableJms
class Jms {
	private JmsTemplate template;
	private Mailer mailer;
	@Destination(destination = "orders")
	private Object place;

	void all() {
		mailer.convertAndSend("orders", "x");
		mailer.send("orders", "x");
		template.setDefaultDestinationName("orders");
		template.browse("orders");
	}
}

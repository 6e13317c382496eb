package shop;

import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Outgoing;

class Worker {
	@Incoming("orders")
	@Outgoing("invoices")
	String process(String order) {
		return order;
	}

	@Incoming(Names.PAID)
	void paid(String order) {
	}
}

package shop;

final class Queues {
	static final String ORDERS = "orders";
	static final String PREFIX = "shop.";
	static final String MAIL = PREFIX + "mail";
}

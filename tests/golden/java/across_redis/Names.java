package shop;

final class Names {
	static final String PREFIX = "orders.";
	static final String CREATED = PREFIX + "created";
	static final String VOTES = "votes";
}

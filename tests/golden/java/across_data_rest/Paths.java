package shop;

final class Paths {
	static final String ORDERS = "orders";
	static final String BY_STATE = "state";
}

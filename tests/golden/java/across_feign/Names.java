package shop;

final class Names {
	static final String USERS = "users";
	static final String ROOT = "/api/users";
	static final String ORDERS_URL = "http://orders:8080";
}

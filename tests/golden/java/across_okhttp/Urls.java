package shop;

final class Urls {
	static final String USERS = "http://users:8080";
	static final String ORDERS = "http://orders/api";
}

package shop;

final class Names {
	static final String ACCOUNT = "arn:aws:sns:eu-west-1:123456789012:";
	static final String ORDERS = ACCOUNT + "orders";
}

package shop;

final class Names {
	static final String PAID = "paid";
}

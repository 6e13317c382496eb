package shop;

final class Names {
	static final String DIRECT = "direct-topic";
}

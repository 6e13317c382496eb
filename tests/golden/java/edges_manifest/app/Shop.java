package app;

class Shop {
	void open() {
	}
}

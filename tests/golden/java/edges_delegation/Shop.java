class Stock {
	Stock(int size) {
	}

	Stock(int size, int most) {
	}
}

class Shop extends Stock {
	Shop(int size) {
		super(size);
	}

	Shop() {
		this(1);
	}
}

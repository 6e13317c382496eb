package app;

import app.Gone;
import app.Shop;

class Main {
	void run(Gone gone) {
		gone.close();
		new Shop().open();
	}
}

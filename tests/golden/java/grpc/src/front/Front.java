package com.example.shop.front;

import com.example.shop.cart.AddItemRequest;
import com.example.shop.cart.GetCartRequest;
import java.util.concurrent.TimeUnit;

class Front {
	private final Stubs stubs;

	Front(Stubs stubs) {
		this.stubs = stubs;
	}

	void show() {
		stubs.carts.getCart(GetCartRequest.getDefaultInstance());
		stubs.blocking().withDeadlineAfter(2, TimeUnit.SECONDS).addItem(AddItemRequest.getDefaultInstance());
	}
}

package com.example.shop.front;

import com.example.shop.cart.CartServiceGrpc;
import io.grpc.Channel;

class Stubs {
	final CartServiceGrpc.CartServiceFutureStub carts;

	Stubs(Channel channel) {
		carts = CartServiceGrpc.newFutureStub(channel);
	}

	CartServiceGrpc.CartServiceBlockingStub blocking() {
		return null;
	}
}

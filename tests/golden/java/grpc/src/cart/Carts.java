package com.example.shop.cart;

import io.grpc.stub.StreamObserver;
import net.devh.boot.grpc.server.service.GrpcService;

@GrpcService
public class Carts extends BaseCart {
	@Override
	public void getCart(GetCartRequest request, StreamObserver<Cart> out) {
		audit("get");
		out.onNext(Cart.getDefaultInstance());
	}

	@Override
	public void addItem(AddItemRequest request, StreamObserver<Cart> out) {
		respond(out);
	}

	private void respond(StreamObserver<Cart> out) {
		out.onCompleted();
	}
}

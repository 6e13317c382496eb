package shop.front;

import io.micronaut.http.annotation.*;
import io.micronaut.http.client.annotation.Client;
import shop.api.OrderOperations;

@Client(id = "order-service", path = "/orders")
public interface OrderClient extends OrderOperations {
	@Get("/{id}/short")
	@Override
	Order one(String id);
}

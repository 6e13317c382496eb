package shop.api;

import io.micronaut.http.annotation.*;

public interface OrderOperations {
	@Get
	List<Order> all();

	@Get("/{id}")
	Order one(String id);

	@Post(uris = {"/make", "/create"})
	Order make(@Body Order o);
}

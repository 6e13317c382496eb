package shop;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.PostMapping;

@FeignClient(name = "orders", url = Names.ORDERS_URL)
interface OrdersClient {
	@PostMapping("/orders")
	Order create(@RequestBody Order order);
}

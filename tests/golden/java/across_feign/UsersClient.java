package shop;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;

@FeignClient(name = Names.USERS, path = Names.ROOT)
interface UsersClient {
	@GetMapping("/{id}")
	User user(@PathVariable("id") long id);

	@DeleteMapping("/{id}")
	void remove(@PathVariable("id") long id);
}

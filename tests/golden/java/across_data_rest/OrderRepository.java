package shop;

import org.springframework.data.repository.CrudRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;
import org.springframework.data.rest.core.annotation.RestResource;

@RepositoryRestResource(path = Paths.ORDERS)
interface OrderRepository extends CrudRepository<Order, Long> {
	@RestResource(path = Paths.BY_STATE)
	List<Order> findByState(String state);
}

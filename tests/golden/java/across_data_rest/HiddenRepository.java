package shop;

import org.springframework.data.repository.CrudRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;

@RepositoryRestResource(path = Paths.ORDERS, exported = false)
interface HiddenRepository extends CrudRepository<Hidden, Long> {
	List<Hidden> findByName(String name);
}

import org.springframework.data.repository.CrudRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;

@RepositoryRestResource(exported = false)
interface HiddenRepository extends CrudRepository<Hidden, Long> { }

interface PlainRepository extends Other<Plain, Long> { }

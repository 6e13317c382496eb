package shop;

@RepositoryRestResource(path = "orders", itemResourceRel = "order")
public interface CustomerOrderRepository extends MongoRepository<CustomerOrder, String> {
    @RestResource(path = "customerId")
    List<CustomerOrder> findByCustomerId(@Param("custId") String id);

    List<CustomerOrder> findByStateAndDate(String state, Date date);

    @RestResource(exported = false)
    List<CustomerOrder> findBySecret(String secret);

    Optional<CustomerOrder> findById(String id);

    default void helper() { map.get("/nothing"); }
}

@RepositoryRestResource
interface CategoryRepository extends CrudRepository<Category, Long> {
}

@RepositoryRestResource(exported = false)
interface HiddenRepository extends CrudRepository<Hidden, Long> {
    List<Hidden> findByName(String name);
}

interface PlainRepository extends CrudRepository<Plain, Long> {
    List<Plain> findByName(String name);
}

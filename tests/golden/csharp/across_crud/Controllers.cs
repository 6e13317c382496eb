namespace Shop;

public class UsersController : CrudController<User, int>
{
    [HttpDelete("{id}/now")]
    public override Task Remove(int id) => null;

    [HttpGet("search/{page}")]
    public Task<User> Search(string text, int page) => null;
}

[Route("v2/things")]
public class OrdersController(Service service) : CrudController<Order, Guid>
{
    [HttpPost]
    public Task Add(Order order) => null;
}

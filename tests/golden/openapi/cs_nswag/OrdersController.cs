namespace Orders;

public class OrdersController : OrdersControllerBase
{
    public override Task<Order> GetOrder(int id) => repository.GetOrder(id);

    public override async Task CancelOrderAsync(int id) { await Task.Yield(); }
}

public class PagesController : ControllerBase
{
    public IEnumerable<Order> ListOrders() => null;
}

public class Repository : IRepository
{
    public Task<Order> GetOrder(int id) => null;
}

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddGraphQLServer().AddQueryType<Query>();

public class Query
{
    public IEnumerable<Order> GetOrders() => [];

    public Task<Order?> GetOrderAsync(int id) => Task.FromResult<Order?>(null);
}

[ExtendObjectType("Mutation")]
public class OrderMutations
{
    public Order CancelOrder(int id) => null;
}

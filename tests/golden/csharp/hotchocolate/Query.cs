namespace Shop;

public class Query
{
    public IQueryable<User> GetUsers([Service] ShopContext db) => db.Users;

    public Task<User?> GetUserByIdAsync(int id) => db.Find(id);

    [GraphQLName("version")]
    public string CurrentVersion() => "1";

    private int Helper() => 1;
}

public class Mutation
{
    public User CreateUser(string name) => new(name);
}

[ExtendObjectType(typeof(Query))]
public class OrderQueries
{
    public IEnumerable<Order> GetOrders() => [];
}

[QueryType]
public static class StockQueries
{
    public static int GetStockLevel(string sku) => 0;
}

[SubscriptionType]
public static class UserSubscriptions
{
    [Subscribe(With = nameof(SubscribeToUserAdded))]
    public static User OnUserAdded([EventMessage] User user) => user;

    public static ValueTask<ISourceStream<User>> SubscribeToUserAdded(ITopicEventReceiver receiver) => receiver.SubscribeAsync<User>("added");
}

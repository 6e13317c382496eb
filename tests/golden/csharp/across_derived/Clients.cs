namespace Shop;

public class UsersClient : BaseClient
{
    public UsersClient(HttpClient http) : base(http, "http://users") { }

    protected override string Resource => "users";

    public Task<User> User(int id) => Fetch<User>($"users/{id}");
}

public class OrdersClient(HttpClient http, IConfiguration configuration) : BaseClient(http, configuration["Services:Orders"])
{
    protected override string Resource { get; } = "orders";

    public Task<Order> Order(int id) => Fetch<Order>("orders/" + id);
}

using Refit;

namespace Shop;

public class UsersService(HttpClient http)
{
    public Task<User> Get(int id) => http.GetFromJsonAsync<User>($"/users/{id}");
}

public class OrdersService
{
    private readonly HttpClient _client;

    public OrdersService(HttpClient client) { _client = client; }

    public Task Create(Order order) => _client.PostAsJsonAsync("orders", order);
}

public class Stock(IHttpClientFactory factory)
{
    public async Task Items()
    {
        var client = factory.CreateClient("stock");
        await client.GetAsync("/items");
    }
}

public class Other(HttpClient http)
{
    public Task<string> Get() => http.GetStringAsync("/unknown-host");
}

public interface IRates
{
    [Get("/eur")]
    Task<Rate> Euro();
}

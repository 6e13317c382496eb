using Dapr.Client;

namespace Shop;

public class StockClient(HttpClient http)
{
    public Task<string> Items() => http.GetStringAsync("items");
}

public static class Clients
{
    public static void Add(IServiceCollection services) =>
        services.AddSingleton(_ => new StockClient(DaprClient.CreateInvokeHttpClient("stock-api")));
}

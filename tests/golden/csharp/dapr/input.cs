public class Calls
{
    public async Task All(DaprClient dapr, int id)
    {
        await dapr.InvokeMethodAsync<User>(HttpMethod.Get, "users-api", $"users/{id}");
        var request = dapr.CreateInvokeMethodRequest(HttpMethod.Post, "orders-api", "orders", order);
        await hub.InvokeMethodAsync("nothing", "more", "else");
    }
}

using Dapr.Client;

namespace Shop;

public class Calls(DaprClient dapr, Invoker invoker)
{
    public Task<User> User(int id) => dapr.InvokeMethodAsync<User>(HttpMethod.Get, Apps.Users, $"users/{id}");

    public Task Cancel(int id) => invoker.Call("orders-api", $"orders/{id}");
}

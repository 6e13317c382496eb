using Dapr.Client;

namespace Shop;

public class Invoker(DaprClient dapr)
{
    public Task Call(string app, string path) => dapr.InvokeMethodAsync(HttpMethod.Delete, app, path);
}

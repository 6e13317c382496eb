using Microsoft.Azure.Functions.Worker;

namespace Shop;

public class Functions
{
    [Function(nameof(Get))]
    public IActionResult Get([HttpTrigger(AuthorizationLevel.Function, "get", Route = Routes.Users)] HttpRequest request, string id) => null;

    [Function("AddOrder")]
    public IActionResult Add([HttpTrigger(AuthorizationLevel.Anonymous, "post", Route = $"{Routes.Orders}")] HttpRequest request) => null;

    [Function(nameof(Ping))]
    public IActionResult Ping([HttpTrigger(AuthorizationLevel.Anonymous, "get")] HttpRequest request) => null;
}

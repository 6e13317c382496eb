public static class Users
{
    [FunctionName("GetUser")]
    public static IActionResult Get(
        [HttpTrigger(AuthorizationLevel.Function, "get", Route = "users/{id}")] HttpRequest request, string id) => null;

    [Function("CreateUser")]
    public static IActionResult Create([HttpTrigger(AuthorizationLevel.Anonymous, "post", "put")] HttpRequest request) => null;

    [Function("Nothing")]
    public static void Timer([TimerTrigger("0 */5 * * * *")] TimerInfo timer) { cache.Get("/nothing"); }
}

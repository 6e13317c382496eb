using Yarp.ReverseProxy.Configuration;

static class Proxy
{
    public static IReadOnlyList<RouteConfig> Routes() =>
    [
        new RouteConfig
        {
            RouteId = "users",
            ClusterId = "users-cluster",
            Match = new RouteMatch { Path = "/api/users/{**rest}" },
            Transforms = [new Dictionary<string, string> { ["PathRemovePrefix"] = "/api" }]
        },
        new()
        {
            RouteId = "orders",
            ClusterId = "orders-cluster",
            Match = new() { Path = "/orders/{id}" }
        }
    ];

    public static IReadOnlyList<ClusterConfig> Clusters() => new[]
    {
        new ClusterConfig
        {
            ClusterId = "users-cluster",
            Destinations = new Dictionary<string, DestinationConfig>
            {
                { "one", new DestinationConfig { Address = "http://users:8080" } }
            }
        },
        new ClusterConfig
        {
            ClusterId = "orders-cluster",
            Destinations = new Dictionary<string, DestinationConfig>
            {
                ["one"] = new() { Address = "http://orders" }
            }
        }
    };
}

// Routes and clusters of somebody else: nothing is sent on.
class Others
{
    object Route => new RouteConfig { Name = "Default", Url = "{controller}/{action}" };

    object Unknown => new RouteConfig { RouteId = "x", ClusterId = "nobody", Match = new RouteMatch { Hosts = ["x"] } };
}

namespace Shop;

public interface IEndpoint
{
    void MapEndpoint(IEndpointRouteBuilder app);
}

public class GetStock : IEndpoint
{
    public void MapEndpoint(IEndpointRouteBuilder app) => app.MapGet("stock/{id}", (int id) => id);
}

public static class Extensions
{
    public static IApplicationBuilder MapEndpoints(this WebApplication app, RouteGroupBuilder routeGroupBuilder)
    {
        IEnumerable<IEndpoint> endpoints = app.Services.GetRequiredService<IEnumerable<IEndpoint>>();

        IEndpointRouteBuilder builder = routeGroupBuilder is null ? app : routeGroupBuilder;

        foreach (IEndpoint endpoint in endpoints)
        {
            endpoint.MapEndpoint(routeGroupBuilder);
        }

        return app;
    }
}

using Carter;

namespace Shop;

public class UsersModule : ICarterModule
{
    public void AddRoutes(IEndpointRouteBuilder app)
    {
        var group = app.MapGroup("/users");
        group.MapGet("/{id}", (int id) => id);
        app.MapPost("/login", Login);
    }

    static IResult Login() => Results.Ok();
}

public class OrdersModule : CarterModule
{
    public OrdersModule() : base("/orders") { }

    public override void AddRoutes(IEndpointRouteBuilder app)
    {
        app.MapGet("/", () => "");
    }
}

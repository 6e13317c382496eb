using FastEndpoints;

public class GetOrder : Endpoint<GetOrderRequest, Order>
{
    public override void Configure()
    {
        Get("/orders/{id}");
        AllowAnonymous();
    }

    public override Task HandleAsync(GetOrderRequest r, CancellationToken c) => cache.Get("/nothing");
}

public class ChangeOrder : Endpoint<Order>
{
    public override void Configure()
    {
        Verbs(Http.PUT);
        Routes("/orders/{id}");
    }
}

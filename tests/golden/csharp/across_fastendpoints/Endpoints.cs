using FastEndpoints;

namespace Shop;

public class ListOrders : EndpointWithoutRequest<List<Order>>
{
    public override void Configure()
    {
        Get(Routes.Orders);
        AllowAnonymous();
    }
}

public class RemoveOrder : Endpoint<RemoveRequest>
{
    public override void Configure() => Delete(Routes.Orders + "/{id}");
}

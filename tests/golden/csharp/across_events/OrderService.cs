using MassTransit;

namespace Shop.Orders;

public class OrderService
{
    private readonly ISendEndpoint endpoint;

    public Task Submit(string id)
    {
        return endpoint.Send(new SubmitOrder(id));
    }
}

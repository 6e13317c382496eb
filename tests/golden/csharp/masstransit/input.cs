using MassTransit;

namespace Shop.Orders;

public class OrderSubmittedConsumer(IMapper mapper) : IConsumer<OrderSubmitted>, IConsumer<Contracts.OrderCancelled>
{
    public async Task Consume(ConsumeContext<OrderSubmitted> context)
    {
        var stock = mapper.Map<StockReserved>(context.Message);
        await context.Publish(stock);
        await context.RespondAsync(new OrderAccepted(context.Message.Id));
    }

    public Task Consume(ConsumeContext<Contracts.OrderCancelled> context) => Task.CompletedTask;
}

public class Retry<T> : IConsumer<T> where T : class
{
    public Task Consume(ConsumeContext<T> context) => Task.CompletedTask;
}

public class OrdersController(IPublishEndpoint bus, IRequestClient<CheckOrder> client, IMediator mediator)
{
    public async Task Submit(Guid id)
    {
        await bus.Publish<OrderSubmitted>(new { Id = id });
        await bus.Publish(new Contracts.OrderCancelled { Id = id });
        OrderShipped shipped = Find(id);
        await bus.Publish(shipped);
        var archived = new OrderArchived(id);
        log.Write(id);
        await bus.Publish(archived);
        await client.GetResponse<OrderStatus>(new CheckOrder(id));
        await mediator.Send(new RefreshView(id));
    }

    public async Task Forward(OrderPaid paid)
    {
        await bus.Publish(paid);
    }

    public static void Configure(IBusFactoryConfigurator cfg)
    {
        cfg.Publish<OrderSubmitted>(x => x.Exclude = true);
        cfg.Send<OrderSubmitted>(x => x.UseRoutingKeyFormatter(c => c.Message.Id));
    }
}

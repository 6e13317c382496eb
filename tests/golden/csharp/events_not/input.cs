using Confluent.Kafka;
using MediatR;

namespace Shop;

// No MassTransit (nor IPublishEndpoint of it), all in one process: MediatR's notifications and commands, a consumer of another library, an event that is only read.
public class OrderPlacedHandler : INotificationHandler<OrderPlaced>
{
    public Task Handle(OrderPlaced notification, CancellationToken token) => Task.CompletedTask;
}

public class Views : IConsumer<View>
{
    public Task Consume(Context<View> context) => Task.CompletedTask;
}

public class Orders(IMediator mediator, ISender sender, IPublisher publisher)
{
    public async Task Place(string id)
    {
        await mediator.Publish(new OrderPlaced(id));
        await sender.Send(new PlaceOrder(id));
        await publisher.Publish(new OrderPlaced(id));
    }

    public string Name(PriceIntegrationEventArgs e) => typeof(PriceChangedIntegrationEvent).Name + nameof(IntegrationEvent);

    public void Handle(PriceChangedIntegrationEvent e) { }
}

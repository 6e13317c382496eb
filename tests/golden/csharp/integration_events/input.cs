using Shop.EventBus;

namespace Shop.Basket;

public record OrderStartedIntegrationEvent(string UserId) : IntegrationEvent;

public class OrderStartedHandler : IIntegrationEventHandler<OrderStartedIntegrationEvent>
{
    public async Task Handle(OrderStartedIntegrationEvent @event)
    {
        await basket.Delete(@event.UserId);
    }
}

public class Checkout(IEventBus bus)
{
    public async Task Accept(string userId)
    {
        var accepted = new Events.UserCheckoutAcceptedIntegrationEvent(userId);
        await bus.PublishAsync(accepted);
    }

    public IntegrationEvent Nothing() => new IntegrationEvent();
}

namespace Shop.Catalog;

public class PriceChangedHandler : IIntegrationEventHandler<PriceChangedIntegrationEvent>
{
    public Task HandleAsync(PriceChangedIntegrationEvent e) => Task.CompletedTask;
}

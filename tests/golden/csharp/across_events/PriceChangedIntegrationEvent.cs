namespace Shop.Catalog;

public record PriceChangedIntegrationEvent(int Product, decimal Price) : IntegrationEvent;

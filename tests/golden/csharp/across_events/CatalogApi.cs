namespace Shop.Catalog;

public class CatalogApi(ICatalogEvents events)
{
    public async Task Update(int product, decimal price)
    {
        await events.SaveAndPublish(new PriceChangedIntegrationEvent(product, price));
    }
}

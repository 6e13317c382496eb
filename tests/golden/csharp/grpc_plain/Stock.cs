using Grpc.Core;
using Grpc.Net.Client;

namespace Warehouse;

public class StockService : Stock.StockBase
{
    public override Task<Level> Count(Item request, ServerCallContext context) => Task.FromResult(new Level());

    public override async Task Watch(Item request, IServerStreamWriter<Level> levels, ServerCallContext context)
    {
        await levels.WriteAsync(new Level());
    }

    private Task<Level> Cached(Item request) => null;
}

public class Reorder
{
    private readonly Prices.PricesClient _prices;

    public Reorder(Prices.PricesClient prices)
    {
        _prices = prices;
    }

    public async Task Run()
    {
        await _prices.QuoteAsync(new Item());
        var made = new Prices.PricesClient(GrpcChannel.ForAddress("http://prices"));
        made.Quote(new Item());
    }
}

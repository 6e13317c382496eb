using Grpc.Net.Client;
using GrpcBasket = Shop.Basket.Api.Basket;
using BasketStub = Shop.Basket.Api.Basket.BasketClient;

namespace Shop.Web;

public class BasketState
{
    private readonly BasketStub _stub;
    private readonly Basket.BasketClient _client;

    public BasketState(BasketStub stub, Basket.BasketClient client)
    {
        _stub = stub;
        _client = client;
    }

    public async Task Show()
    {
        await _client.GetBasketAsync(new GetBasketRequest());
        _stub.UpdateBasket(new GetBasketRequest());
        var made = new Basket.BasketClient(GrpcChannel.ForAddress("http://basket"));
        await made.UpdateBasketAsync(new GetBasketRequest());
    }
}

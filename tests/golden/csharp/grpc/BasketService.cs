using Grpc.Core;

namespace Shop.Basket.Api;

public class BasketService(ILogger<BasketService> logger) : Basket.BasketBase
{
    public override async Task<BasketReply> GetBasket(GetBasketRequest request, ServerCallContext context)
    {
        return await Load(request);
    }

    [AllowAnonymous]
    public override Task<BasketReply> UpdateBasket(GetBasketRequest request, ServerCallContext context) => null;

    private Task<BasketReply> Load(GetBasketRequest request) => null;
}

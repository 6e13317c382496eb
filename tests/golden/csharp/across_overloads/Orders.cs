namespace Shop;

public class Orders
{
    private readonly IRequestProvider _provider;

    public Orders(IRequestProvider provider)
    {
        _provider = provider;
    }

    public async Task Create(Order order, string token)
    {
        var done = await _provider.PostAsync("/api/orders/", order, token, "x-requestid").ConfigureAwait(false);
    }
}

public class Payments(IRequestProvider provider)
{
    public Task<Receipt> Pay(Payment payment)
    {
        return provider.PostAsync<Payment, Receipt>("/api/payments", payment);
    }
}

namespace Shop;

public static class Routes
{
    public const string Orders = "/orders";
}

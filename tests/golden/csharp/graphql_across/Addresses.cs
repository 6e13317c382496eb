namespace Shop;

public static class Addresses
{
    public const string Orders = "http://orders/graphql";
}

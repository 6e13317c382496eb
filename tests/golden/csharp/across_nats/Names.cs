namespace Shop;

public static class Names
{
    public const string Prefix = "orders.";
    public const string Created = Prefix + "created";
    public const string Votes = "votes";
}

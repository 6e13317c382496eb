namespace Shop;

public static class Routes
{
    public const string Users = "users/{id}";
    public const string Orders = "v1/" + "orders";
}

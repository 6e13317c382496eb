namespace Shop.Messages;

public static class Topics {
    public const string Orders = "orders";
    public const string Mail = "shop.mail";
    public static readonly string Users = "users-v1";
}

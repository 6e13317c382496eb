namespace Shop;

public static class Paths
{
    public const string User = "users/{id}";
}

namespace Shop.Api;

public static class Routes
{
    public const string Many = "many";
}

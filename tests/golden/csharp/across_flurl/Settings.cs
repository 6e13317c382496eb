namespace Shop;

public static class Settings
{
    public const string UsersUrl = "http://users:8080";
}

namespace Shop;

public static class Apps
{
    public const string Users = "users-api";
}

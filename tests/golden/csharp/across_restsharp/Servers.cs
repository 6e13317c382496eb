namespace Shop;

public static class Servers
{
    public static readonly string Users = "http://users:8080/api";
}

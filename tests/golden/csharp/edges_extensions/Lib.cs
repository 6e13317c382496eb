namespace Shop.Core;

public interface IShape { double Area(); }
public class Square : IShape { public double Area() => 1; }
public class Page { }

public static class Shapes
{
    public static double Twice(this IShape s) => s.Area() * 2;
    public static Square Grow(this Square s, int n) => s;
    public static void Draw(this Page p) { }
}

public static class Setup
{
    public static void AddShop(this IServiceCollection services) { }
    public static void Draw(this Square s) { }
}

public class Counter
{
    private int _count;

    public int Add(int n)
    {
        Bump(n);
        this.Bump(n);
        return _count;
    }

    private void Bump(int n) => _count += n;

    public static int Limit() => 3;
}

public static class Program
{
    public static void Main()
    {
        var c = new Counter();
        c.Add(Counter.Limit());
    }
}

public record Point(int X, int Y)
{
    public int Length() => X + Y;
}

public class Use
{
    public int Run()
    {
        var p = new Point(1, 2);
        return p.Length() + p.X;
    }
}

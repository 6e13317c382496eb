using Shapes;

public class Use
{
    public double Total(IShape shape, Square square)
    {
        return shape.Area() + square.Area() + square.Twice();
    }
}

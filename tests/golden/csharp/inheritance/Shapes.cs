namespace Shapes
{
    public interface IShape
    {
        double Area();
    }

    public abstract class Shape : IShape
    {
        public abstract double Area();
        public double Twice() => Area() * 2;
    }

    public class Square : Shape
    {
        public override double Area() => 1;
    }
}

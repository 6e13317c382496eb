using System.Collections.Generic;
using System.Linq;

namespace Shop;

public interface IShape { double Area(); }

public class Square : IShape
{
    public double Area() => 1;
    public Square Grow() => this;
}

public class Store<T> where T : IShape
{
    public List<T> Items { get; } = new();
    public T First() => Items[0];
    public double Total() { return First().Area(); }
}

public class Squares : Store<Square>
{
    public void Inherited() { First().Grow(); }
}

public class Use
{
    private readonly Store<Square> store;
    private readonly List<Square> list;

    public void Argument() { store.First().Grow(); }
    public void OfProperty() { store.Items[0].Grow(); }
    public void OfBase(Squares s) { s.First().Grow(); }
    public void Element() { list.First().Grow(); }
    public void Filtered() { list.Where(s => s.Area() > 1).First().Grow(); }
    public void Callback() { list.ForEach(s => s.Grow()); }
    public double Bound<T>(T t) where T : IShape { return t.Area(); }
}

using Shop;
using Sq = Shop.Square;

namespace Web;

public class Use
{
    public void Plain() { new Square(1).Grow(); }
    public Sq Alias(Sq s) { s.Grow(); return new Sq(2); }
}

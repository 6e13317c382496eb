namespace Shop;

public abstract class Base
{
    protected virtual void Init() { }
    protected void Shared() { }
}

public partial class Square : Base
{
    public Square(int n) { Init(); }
}

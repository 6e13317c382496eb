namespace Shop;

public partial class Square
{
    protected override void Init() { base.Init(); Shared(); Grow(); }
    public void Grow() { }
}

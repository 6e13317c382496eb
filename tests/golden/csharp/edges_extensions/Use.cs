using Shop.Core;

namespace Shop.Web;

public class Use
{
    public void OfInterface(Square s) { s.Twice(); }
    public void Chained(Square s) { s.Grow(1).Grow(2).Twice(); }
    public void OfLibrary(IServiceCollection services) { services.AddShop(); }
    public void OneOfTwo(Square s, Page p) { s.Draw(); }
    public void Unknown(dynamic d) { d.Draw(); }
}

using Shop.Web;

namespace Shop.Api;

[Second("stock/items")]
public class ItemsController : Resource<Item>
{
    [Replace]
    public override Item Save(int id, Item body) => body;

    [Audit]
    public override Item One(int id) => null;
}

[Second]
[Label("orders")]
public class OrdersController : Resource<Order>
{
    [Run("refund")]
    public void Refund() { }
}

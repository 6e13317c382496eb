using Microsoft.AspNetCore.Mvc;

namespace Shop.Web;

public abstract class Resource<T> : Controller
{
    [Find]
    public virtual T One(int id) => Load(id);

    [Replace]
    public virtual T Save(int id, T body) => Store(id, body);

    [Audit]
    public void Trace() { }

    protected abstract T Load(int id);
    protected abstract T Store(int id, T body);
}

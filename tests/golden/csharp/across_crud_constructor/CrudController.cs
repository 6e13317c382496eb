using Microsoft.AspNetCore.Mvc;

namespace Shop;

public abstract class CrudController<T> : ControllerBase
{
    private readonly IStore<T> store;

    protected CrudController(IStore<T> store) { this.store = store; }

    [HttpPost]
    public Task<T> Create(T body) => store.Add(body);

    [HttpGet("{id}")]
    public Task<T> One(int id) => store.Get(id);
}

namespace Shop;

[ApiController]
[Route("api/[controller]")]
public abstract class CrudController<T, TKey> : ControllerBase where T : class
{
    [HttpGet]
    public virtual Task<List<T>> List() => null;

    [HttpGet("{id}")]
    public virtual Task<T> Get(TKey id) => null;

    [HttpGet("search")]
    public Task<T> Search(string text) => null;

    [HttpDelete("{id}")]
    public virtual Task Remove(TKey id) => null;
}

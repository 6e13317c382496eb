using Microsoft.AspNetCore.Mvc;

[ApiController]
[Route("api/[controller]")]
public class ParcelsController : ControllerBase
{
    [HttpGet("~/api/depots/{depot}/parcels/{id?}")]
    public object Get(string depot, string id) => id;

    [HttpGet("pages/{page:int=1}")]
    public object Page(int page) => page;

    [HttpDelete("{id}")]
    public object Drop(string id) => id;
}

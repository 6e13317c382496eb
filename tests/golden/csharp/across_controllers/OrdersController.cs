namespace Shop.Api;

public class OrdersController : ApiControllerBase
{
    [HttpGet("{id}")]
    public IActionResult Get(int id) => Ok();

    [HttpPost(Routes.Many)]
    public IActionResult Many() => Ok();
}

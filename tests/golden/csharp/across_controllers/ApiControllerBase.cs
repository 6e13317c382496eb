namespace Shop.Api;

[ApiController]
[Route("api/[controller]")]
public abstract class ApiControllerBase : ControllerBase
{
    [HttpGet("ping")]
    public IActionResult Ping() => Ok();
}

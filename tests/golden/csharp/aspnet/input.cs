using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/v{version:apiVersion}/[controller]")]
[Route("legacy/[controller]")]
public class OrdersController : ControllerBase
{
    private const string ById = "{id:int}";

    [HttpGet]
    public IActionResult List() => Ok(map.Get("/nothing"));

    [HttpGet(ById, Name = "GetOrder")]
    [ProducesResponseType(200)]
    public async Task<ActionResult<Order>> Get(int id) => null;

    [HttpPost, Route("new")]
    public IActionResult Create([FromBody] Order order) => Ok();

    [Route("~/orders/{id}/cancel")]
    [HttpPut]
    public IActionResult Cancel(int id) => Ok();

    [HttpDelete("/orders/{id}/{*rest}")]
    public IActionResult Remove(int id) => Ok();

    [HttpGet("[action]")]
    public IActionResult Statistics() => Ok();

    [AcceptVerbs("PATCH", "POST", Route = "many")]
    public IActionResult Many() => Ok();

    [Route("any")]
    public IActionResult Any() => Ok();

    [NonAction]
    public void Unrelated() { }

    // [HttpGet("nothing")]
    private void Helper() { cache.Get("/nothing"); }
}

[Route("users")]
public class UsersController : Controller
{
    [HttpGet("")]
    public IActionResult Index() => View();

    [HttpPost("[controller]/{name?}")]
    public IActionResult Post(string name) => View();
}

public class AccountController : Controller
{
    public IActionResult Login() => View();

    [HttpPost]
    public async Task<IActionResult> Login(LoginModel model) => View();

    [HttpGet]
    [Route("account/logout")]
    public IActionResult Logout() => View();

    private IActionResult Hidden() => View();
}

public class Client
{
    [Get("/nothing")]
    public void Refit() { }
}

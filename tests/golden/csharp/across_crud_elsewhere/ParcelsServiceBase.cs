using Microsoft.AspNetCore.Mvc;

namespace Shop.Generated;

public abstract class ParcelsServiceBase : ControllerBase
{
    [HttpGet]
    [Route("/depot/parcels/{code}")]
    public abstract IActionResult Find([FromRoute] string code);
}

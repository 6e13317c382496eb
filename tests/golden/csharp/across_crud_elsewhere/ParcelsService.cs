namespace Shop;

public class ParcelsService : Generated.ParcelsServiceBase
{
    public override IActionResult Find(string code) => Ok(code);
}

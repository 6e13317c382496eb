using Microsoft.AspNetCore.Mvc;

// A method without a verb or route in a class that is no controller, a comment, a string.
public class AspNet {
	// [HttpGet("/commented")]
	private readonly string text = "[HttpGet(\"/text\")]";
	public IActionResult Index() => null;
	public string Map(Dictionary<string, string> map) => map["/key"];
}

public class PlainController : ControllerBase {
	public string NoVerb() => "";
}

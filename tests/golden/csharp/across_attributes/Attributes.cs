using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Routing;

namespace Shop.Web;

public class VersionedAttribute : Attribute, IRouteTemplateProvider
{
    public const string Own = "[controller]";

    public VersionedAttribute(int version, string resource = Own)
    {
        Template = $"api/v{version}/{resource}";
    }

    public string Template { get; }
    public int? Order => 1;
}

public class SecondAttribute : VersionedAttribute
{
    public SecondAttribute(string resource = "[controller]") : base(2, resource) { }
}

public class FindAttribute : Attribute, IActionHttpMethodProvider, IRouteTemplateProvider
{
    public IEnumerable<string> HttpMethods => new[] { "GET", "POST" };
    public string Template => "{id:int}";
}

public class ReplaceAttribute : HttpPutAttribute
{
    public ReplaceAttribute() : base("{id:int}") { }
}

public class RunAttribute(string name) : HttpPostAttribute("run/" + name);

// Neither says how a request is answered.
public class AuditAttribute : Attribute
{
    public string Template => "audit/{0}";
    public string[] HttpMethods => new[] { "POST" };
}

public class LabelAttribute : Attribute
{
    public LabelAttribute(string template) { Template = template; }
    public string Template { get; }
}

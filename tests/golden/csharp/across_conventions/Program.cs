using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc.ApplicationModels;
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllers(o => o.Conventions.Insert(0, new RoutePrefix("api/v1")));
var app = builder.Build();
app.MapControllers();
app.Run();
public class RoutePrefix : IApplicationModelConvention
{
    private readonly AttributeRouteModel prefix;
    public RoutePrefix(string p) { prefix = new AttributeRouteModel(new Microsoft.AspNetCore.Mvc.RouteAttribute(p)); }
    public void Apply(ApplicationModel application)
    {
        foreach (var s in application.Controllers.SelectMany(c => c.Selectors))
            s.AttributeRouteModel = AttributeRouteModel.CombineAttributeRouteModel(prefix, s.AttributeRouteModel);
    }
}

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
RouteGroupBuilder group = app.MapGroup("/api");
app.MapEndpoints(group);
app.Run();

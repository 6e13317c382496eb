using Microsoft.AspNetCore.Builder;
var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
app.UsePathBase(new PathString("/shop"));
app.MapGet("/users", () => 1);
app.MapControllers();
app.Run();

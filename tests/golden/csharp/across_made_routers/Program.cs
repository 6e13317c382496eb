using Microsoft.AspNetCore.Builder;
var app = WebApplication.CreateBuilder(args).Build();
new CrudEndpoints("/users").Map(app);
new CrudEndpoints("/orders").Map(app);
app.Run();

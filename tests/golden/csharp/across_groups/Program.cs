var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
app.MapGroup("/api/v1").MapUsers().MapOrders();
var second = app.MapGroup("/api/v2").WithTags("second").Produces<string>(200);
second.MapUsers();
app.MapItems();
app.Run();

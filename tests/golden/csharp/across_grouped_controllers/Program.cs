using Microsoft.AspNetCore.Builder;
var app = WebApplication.CreateBuilder(args).Build();
app.MapGroup("/api/v3").MapControllers();
app.Run();

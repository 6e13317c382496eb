using Shop.Configuration;

var builder = WebApplication.CreateBuilder(args);
builder.Services.Configure<ServiceOptions>(builder.Configuration.GetSection("Services"));
builder.Services.AddHttpClient<OrdersClient>((sp, c) => { var o = sp.GetRequiredService<IOptions<ServiceOptions>>().Value; c.BaseAddress = new Uri(o.Orders); });
builder.Build().Run();

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddRefitClient<IBasketService>().ConfigureHttpClient(c => { c.BaseAddress = new Uri("http://basket-api"); });
builder.Build().Run();

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddHttpClient<UsersService>(c => c.BaseAddress = new("https+http://users"));
builder.Services.AddHttpClient<IOrdersService, OrdersService>(client =>
{
    client.BaseAddress = new Uri("http://orders/api/");
});
builder.Services.AddHttpClient("stock", c => { c.BaseAddress = new Uri("http://stock"); });
builder.Services.AddRefitClient<IRates>().ConfigureHttpClient(c => c.BaseAddress = new Uri("http://rates"));

using Yarp.ReverseProxy.Configuration;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddReverseProxy().LoadFromMemory(Proxy.Routes(), Proxy.Clusters());
var app = builder.Build();
app.MapReverseProxy();
app.Run();

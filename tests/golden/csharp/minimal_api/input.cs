var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
const string Items = "/items";

app.MapGet("/", () => "hello");
app.MapGet(Items + "/{id:guid}", (Guid id) => id).WithName("item");
app.MapPost("/items", Handlers.Create);
app.MapMethods("/items/{id}", new[] { "PUT", HttpMethods.Patch }, Update);
app.MapMethods("/more", ["DELETE"], Update);
app.MapHealthChecks("/health");

var api = app.MapGroup("/api").RequireAuthorization();
api.MapGet("/users", List);
var users = api.MapGroup("users").WithTags("users").WithOpenApi();
users.MapDelete("/{id}", Remove);
app.MapGroup("/inline").MapGet("/x", List);

mapper.Map("/nothing", x);
mapper.MapGet("one");
cache.Get("/nothing");
// app.MapGet("/nothing/comment", List);
group.MapPut(UpdateItem, "{id}");

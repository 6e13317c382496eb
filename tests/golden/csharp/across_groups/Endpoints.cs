namespace App;
public static class UsersEndpoints {
  public static RouteGroupBuilder MapUsers(this RouteGroupBuilder group) {
    group.MapGet("/users/{id:int}", GetUser).WithName("x");
    var inner = group.MapGroup("inner").RequireAuthorization();
    inner.MapPost("/", Add);
    return group;
  }
  public static IEndpointRouteBuilder MapOrders(this IEndpointRouteBuilder app) {
    app.MapDelete("orders/{id}", Delete);
    return app;
  }
}
public static class ItemsEndpoints {
  public static void MapItems(this WebApplication app) {
    var api = app.MapGroup("/items").WithTags("Items").WithOpenApi();
    api.MapGet("", List);
    MapLines(api.MapGroup("/{id}/lines"));
  }
  static void MapLines(RouteGroupBuilder lines) { lines.MapPut("{line}", Put); }
}
public static class PensEndpoints {
  public static void MapPens(this WebApplication app) {
    app.MapGroup("/v2").WithTags("pens").MapGroup("/pens").MapGet("{id}", Get);
    MapInks(app.MapGroup("/v3").MapGroup("/inks"));
    app.Map("/old", branch => { branch.UseRouting(); branch.UseEndpoints(e => e.MapGet("/pens", Get)); });
    app.Map("/any/{id}", (int id) => id);
    mapper.Map("/nothing", x => x.Name);
  }
  static void MapInks(RouteGroupBuilder inks) { inks.MapPost("/all", Add); }
}

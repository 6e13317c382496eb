namespace Shop.Products.Create;
internal static class CreateEndpoint {
  internal static RouteHandlerBuilder MapCreate(this IEndpointRouteBuilder endpoints) {
    return endpoints.MapPost("/", Handle);
    static async Task Handle() {}
  }
}
internal static class NotOneOfThem {
  internal static void Close(this Door door) { }
  internal static void MapCreate(string text) { text.Close(); }
}

namespace Shop.Products;
internal static class Conf {
  public const string Prefix = $"{App.Root}/products";
  internal static IEndpointRouteBuilder MapModule(this IEndpointRouteBuilder endpoints) {
    var products = endpoints.NewVersionedApi(name: "x").WithTags("t");
    var v1 = products.MapGroup(Prefix).HasApiVersion(1.0);
    v1.MapCreate();
    return endpoints;
  }
}
public static class App { public const string Root = "api/v{version:apiVersion}/catalogs"; }

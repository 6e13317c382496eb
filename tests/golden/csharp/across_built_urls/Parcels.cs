using System.Net.Http;
namespace Depot;
public class Parcels {
  private readonly HttpClient _http;
  private readonly string _base;
  public Task One(int id) {
    var builder = new UriBuilder(_base);
    builder.Path = $"/depot/v2/parcels/{id}";
    builder.Query = "expand=lines";
    return _http.GetAsync(builder.Uri);
  }

  public Task Create(Parcel o) => _http.PostAsync(QueryHelpers.AddQueryString(string.Concat(_base, "/depot/v2", "/parcels"), "dry", "1"), Json(o));

  public Task Remove(int id) => _http.DeleteAsync(Join(_base, "depot/v2/parcels", id));
  private static string Join(string b, string path, int id) => $"{b.TrimEnd('/')}/{path.TrimStart('/')}/{id}";
}

using RestSharp;
namespace Depot;
public class Parcels {
  private readonly RestClient _client;
  public Parcels(RestClient client) { _client = client; }
  public Task<Parcel> One(int id) {
    var r = new RestRequest("/depot/v2/parcels/{id}", Method.Get).AddUrlSegment("id", id);
    return _client.ExecuteAsync<Parcel>(r);
  }

  public Task<Parcel> Create(Parcel o) => Execute<Parcel>(new RestRequest { Resource = "/depot/v2/parcels", Method = Method.Post }, o);

  public Task Remove(int id) => Execute<object>(new RestRequest { Method = Method.Delete, Resource = $"/depot/v2/parcels/{id}" });
  private Task<T> Execute<T>(RestRequest r, object body = null) => _client.ExecuteAsync<T>(r.AddJsonBody(body));
}

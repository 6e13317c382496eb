using System.Net.Http;
public class Client {
  private readonly HttpClient _http;
  public Task<string> Get(string path) => _http.GetAsync("/base" + path);
  public Task<string> Delete(string path) { return _http.DeleteAsync("/base" + path); }
}
public abstract class Resource<T> {
  protected readonly Client _client;
  protected Resource(Client client) { _client = client; }
  protected abstract string Path { get; }
  public Task<T> All() => _client.Get(Path);
  public Task<T> One(int id) => _client.Get($"{Path}/{id}");
}
public class Cars : Resource<Car> { public Cars(Client c) : base(c) {} protected override string Path => "/cars"; }
public class Boats : Resource<Boat> { public Boats(Client c) : base(c) {} protected override string Path { get { return "/boats"; } } }
public abstract class R3 {
  private readonly Client _client; private readonly string _path;
  protected R3(Client client, string path) { _client = client; _path = path; }
  public Task<string> Drop(int id) => _client.Delete($"{_path}/{id}");
}
public class Cars3 : R3 { public Cars3(Client c) : base(c, "/cars3") {} }
public class Boats3 : R3 { public Boats3(Client c) : base(c, "/boats3") {} }

using System.Net.Http;
public abstract class Thing {
  protected HttpClient _client;
  protected abstract string Path { get; }
  public Task<T> All() => _client.GetAsync(Path);
}
public class Boats : Thing { protected override string Path { get { return "/boats"; } } }
public class Pens : Thing { protected override string Path { get => "/pens"; } }
public class Inks : Thing { protected override string Path { get; } = "/inks"; }
public class Lids { 
  protected HttpClient _client;
  private string Base { get { return "/lids"; } }
  public Task<T> All() => _client.GetAsync(Base + "/all");
}
public class Caps { 
  protected HttpClient _client;
  private string _b;
  public Caps() { Base = "/caps"; }
  private string Base { get { return _b; } set { _b = value; } }
  public Task<T> All() => _client.GetAsync(Base + "/all");
}

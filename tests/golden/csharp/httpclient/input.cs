using System.Net.Http;

public class Calls
{
    private const string Users = "http://users:8080";
    private readonly HttpClient _http;
    private readonly IMap _map;
    private string Base { get; } = "http://stock";

    public Calls(HttpClient http, IMap map)
    {
        _http = http;
        _http.BaseAddress = new Uri("http://orders/api/");
    }

    public async Task Direct(int id, HttpClient given)
    {
        await given.GetAsync(Users + "/users/" + id);
        await given.PostAsync($"{Users}/users/{id}/orders", content);
        await given.GetFromJsonAsync<User>(string.Format("{0}/users/{1}", Users, id));
        await given.DeleteAsync(new Uri($"{Base}/items/{id:D}"));
        await given.PutAsJsonAsync(@"http://stock/items", item).ConfigureAwait(false);
        await given.GetAsync(new Uri(new Uri(Users), "users/all"));
        await given.GetStringAsync(requestUri: "http://catalog/products?page=1");
    }

    public async Task Based(int id)
    {
        await _http.GetAsync($"orders/{id}");
        await this._http.PostAsJsonAsync("orders", order);
        var message = new HttpRequestMessage(HttpMethod.Patch, Users + "/users/" + id);
        await _http.SendAsync(new HttpRequestMessage(new HttpMethod("DELETE"), "http://orders/orders"));
        var other = new HttpRequestMessage { Method = HttpMethod.Put, RequestUri = new Uri(Users + "/users") };
        var local = new HttpClient { BaseAddress = new Uri("http://rates") };
        await local.GetAsync("/eur");
    }

    public async Task Factory(IHttpClientFactory factory)
    {
        var client = factory.CreateClient("users");
        await client.GetAsync("/users");
        var request = (HttpWebRequest)WebRequest.Create("http://stock/items");
        request.Method = "POST";
    }

    public async Task Unrelated(string url)
    {
        await _map.GetAsync("/nothing");
        await repository.DeleteAsync("nothing");
        await testClient.GetFromJsonAsync<User>("/nothing");
        await _http.GetAsync(url);
        // await _http.GetAsync("/nothing/comment");
    }
}

using System.Net.Http;

class Orders {
    private readonly HttpClient http = new HttpClient();

    private Task Request(HttpMethod method, params string[] parts) =>
        http.SendAsync(new HttpRequestMessage(method, "/v1/" + string.Join("/", parts)));

    public Task All() => Request(HttpMethod.Get, "orders");

    public Task Cancel(string id) => Request(HttpMethod.Post, "orders", id, "cancel");
}

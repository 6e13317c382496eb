using System.Net.Http;
public class AssignedClient
{
    private readonly HttpClient _http;
    private readonly string _baseUrl;
    public AssignedClient(HttpClient http, string baseUrl)
    {
        _http = http;
        _baseUrl = baseUrl;
    }
    public Task All() => _http.GetAsync($"{_baseUrl}/users");
}
public class Runner
{
    void Run() { new AssignedClient(null, "http://assigned").All(); }
}

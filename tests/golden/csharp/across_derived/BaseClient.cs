using System.Net.Http;

namespace Shop;

public abstract class BaseClient
{
    private readonly HttpClient _http;
    private readonly string _baseUrl;

    protected BaseClient(HttpClient http, string baseUrl)
    {
        _http = http;
        _baseUrl = baseUrl;
    }

    protected Task<T> Fetch<T>(string path) => _http.GetFromJsonAsync<T>($"{_baseUrl}/{path}");

    protected abstract string Resource { get; }

    public Task Remove(int id) => _http.DeleteAsync($"{_baseUrl}/{Resource}/{id}");
}

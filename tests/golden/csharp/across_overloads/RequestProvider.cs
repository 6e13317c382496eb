namespace Shop;

public interface IRequestProvider
{
    Task<TResult> PostAsync<TRequest, TResult>(string uri, TRequest data, string token = "", string header = "");
    Task<bool> PostAsync<TRequest>(string uri, TRequest data, string token = "", string header = "");
    Task<TResult> PostAsync<TResult>(string uri, string data, string clientId, string clientSecret);
}

public class RequestProvider : IRequestProvider
{
    public async Task<TResult> PostAsync<TRequest, TResult>(string uri, TRequest data, string token = "", string header = "")
    {
        var http = new HttpClient();
        using var response = await http.PostAsync(uri, Json(data));
        return await Read<TResult>(response);
    }

    public async Task<bool> PostAsync<TRequest>(string uri, TRequest data, string token = "", string header = "")
    {
        var http = new HttpClient();
        using var response = await http.PostAsync(uri, Json(data));
        return response.IsSuccessStatusCode;
    }

    public async Task<TResult> PostAsync<TResult>(string uri, string data, string clientId, string clientSecret)
    {
        var http = new HttpClient();
        using var response = await http.PostAsync(uri, new StringContent(data));
        return await Read<TResult>(response);
    }
}

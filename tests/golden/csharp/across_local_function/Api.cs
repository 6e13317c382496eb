using System.Net.Http;

public class Api
{
    private readonly HttpClient http = new HttpClient();

    public string Send(HttpMethod method, string path)
    {
        return http.SendAsync(new HttpRequestMessage(method, "/api" + path)).Result.ToString();
    }
}

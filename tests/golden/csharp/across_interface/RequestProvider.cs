using System.Net.Http;

public interface IRequestProvider {
	Task<T> GetAsync<T>(string uri, string token = "");
	Task DeleteAsync(string uri);
}

public class RequestProvider : IRequestProvider {
	private readonly HttpClient client = new HttpClient();

	public async Task<T> GetAsync<T>(string uri, string token = "") {
		var response = await client.GetAsync(uri);
		return await response.Content.ReadFromJsonAsync<T>();
	}

	public Task DeleteAsync(string uri) => client.DeleteAsync(uri);
}

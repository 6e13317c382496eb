using System.Net.Http;

public class HttpClients {
	private readonly IDistributedCache cache;
	private readonly HttpClient client;
	private readonly Repository repository;

	public async Task All(int id) {
		await cache.GetAsync("http://not/a/call");
		await repository.PostAsync("/not/a/call");
		await repository.DeleteAsync(id);
		client.DefaultRequestHeaders.Add("Accept", "/x");
		new Uri("http://not/a/call");
	}
}

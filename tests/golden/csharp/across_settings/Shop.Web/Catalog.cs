using System.Net.Http;

namespace Shop.Web;

public class Catalog {
	private readonly IConfiguration _configuration;
	private readonly HttpClient client;

	public Catalog(HttpClient client, IConfiguration configuration) { this.client = client; _configuration = configuration; }

	public async Task All(int id, IConfiguration configuration) {
		await client.GetStringAsync(_configuration["Services:Users"] + "/users");
		await client.GetStringAsync($"{configuration["Services:Carts"]}/carts/{id}");
		await client.GetStringAsync(_configuration["Services:Stock:Url"]! + "/stock");
		await client.GetStringAsync(_configuration.GetValue<string>("Services:Orders") + "orders");
	}
}

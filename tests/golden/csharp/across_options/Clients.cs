using System.Net.Http;
using Microsoft.Extensions.Options;
using Shop.Configuration;

public class OrdersClient(HttpClient http) {
	public Task Add(Order o) => http.PostAsync("orders", null);
}

public class CartClient {
	private readonly HttpClient client = new HttpClient();
	private readonly ServiceOptions options;
	private readonly IOptions<PaySettings> _pay;
	private readonly IConfiguration configuration;

	public CartClient(IOptions<ServiceOptions> o, IOptions<PaySettings> pay, IConfiguration configuration) {
		options = o.Value;
		_pay = pay;
		this.configuration = configuration;
	}

	public async Task All(int id) {
		await client.GetAsync(options.Carts + "/carts");
		await client.GetAsync(Uris.Cart(options.Carts, id));
		await client.PostAsync($"{_pay.Value.BaseUrl}/pay", null);
		await client.GetAsync(configuration.GetSection("Services").GetSection("Users").Value + "/users");
		await client.GetAsync(configuration.GetRequiredSection("Services")["Users"] + "/users/1");
		var section = configuration.GetSection("Services");
		await client.GetAsync(section.GetValue<string>("Users") + "/users/2");
		var bound = configuration.GetSection("Payments").Get<PaySettings>();
		await client.DeleteAsync(bound.BaseUrl + "/pay/1");
	}
}

public static class Uris {
	public static string Cart(string b, int id) => $"{b}/cart/{id}";
}

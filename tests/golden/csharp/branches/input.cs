using System.Net.Http;

class Trips {
	private readonly HttpClient client = new HttpClient();

	async Task EachBranch(string id, bool train) {
		string url;
		if (train) {
			url = $"http://trains/trips/{id}";
		} else {
			url = $"http://buses/lines/{id}";
		}
		await client.GetAsync(url);
	}

	async Task PerhapsReplaced(bool all) {
		var path = "/orders";
		if (all) path = "/orders/all";
		await client.DeleteAsync("http://shop" + path);
	}

	async Task OneAfterTheOther(string id) {
		var url = "http://shop/first";
		await client.GetAsync(url);
		url = "http://shop/second/" + id;
		await client.GetAsync(url);
	}

	async Task Appended(bool all) {
		var url = "http://shop/list";
		if (all) url += "/all";
		await client.GetAsync(url);
	}
}

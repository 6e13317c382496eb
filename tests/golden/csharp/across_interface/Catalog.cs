public class Catalog {
	private const string Base = "http://catalog/api";
	private readonly IRequestProvider provider;

	public Catalog(IRequestProvider provider) { this.provider = provider; }

	public async Task<Item> One(int id) {
		await provider.DeleteAsync($"{Base}/old/{id}");
		await provider.GetAsync<Item[]>(Base + "/items");
		return await provider.GetAsync<Item>($"{Base}/items/{id}");
	}
}

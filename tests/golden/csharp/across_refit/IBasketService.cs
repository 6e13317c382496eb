namespace Shop;

public interface IBasketService {
	[Get("/basket/{name}")]
	Task<Basket> Get(string name);

	[Post("/basket")]
	Task Store([Body] Basket b);
}

package shop;

import org.springframework.web.client.RestTemplate;

class Clients {
	private final RestTemplate rest;
	private final ShopProperties properties;
	private final PriceConfig prices;

	Clients(RestTemplateBuilder builder, ShopProperties properties, PriceConfig prices) {
		this.rest = builder.rootUri(properties.getStock().getBaseUrl()).build();
		this.properties = properties;
		this.prices = prices;
	}

	void all(String id) {
		rest.getForObject("/stock/{id}", String.class, id);
		rest.getForObject(properties.getUsersUrl() + "/users", String.class);
		rest.delete(this.prices.tax().clientUrl() + "/tax");
	}
}

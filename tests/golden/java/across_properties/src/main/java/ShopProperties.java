package shop;

import lombok.Data;
import org.springframework.boot.context.properties.ConfigurationProperties;

@Data
@ConfigurationProperties(prefix = "shop")
public class ShopProperties {
	private Stock stock;
	private String usersUrl;

	@Data
	public static class Stock {
		private String baseUrl;
	}
}

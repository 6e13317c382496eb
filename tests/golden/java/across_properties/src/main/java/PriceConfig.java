package shop;

import io.smallrye.config.ConfigMapping;

@ConfigMapping(prefix = "prices")
public interface PriceConfig {
	Tax tax();

	interface Tax {
		String clientUrl();
	}
}

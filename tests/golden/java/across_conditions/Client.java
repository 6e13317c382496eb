package depot;

import org.springframework.web.client.RestTemplate;

class Client {
	private final RestTemplate rest = new RestTemplate();

	private void call(String path, boolean bare, boolean remove) {
		String url = bare ? path : "/api/v2" + path;
		if (remove) {
			rest.delete(url);
			return;
		}
		rest.getForObject(url, String.class);
	}

	void parcels() {
		call("/parcels", false, false);
	}

	void drop() {
		call("/parcels/1", false, true);
	}

	void health() {
		call("/health", true, false);
	}
}

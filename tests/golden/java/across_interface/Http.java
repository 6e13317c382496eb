import org.springframework.web.client.RestTemplate;

interface Http {
	<T> T get(String path, Class<T> type);
}

class RestHttp implements Http {
	private final RestTemplate rest = new RestTemplate();

	@Override
	public <T> T get(String path, Class<T> type) {
		return rest.getForObject("http://users" + path, type);
	}
}

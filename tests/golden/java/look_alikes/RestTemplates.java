import org.springframework.web.client.RestTemplate;
import java.util.Map;

class RestTemplates {
	private Map<String, String> cache;
	private RestTemplate rest;
	private Exchange broker;

	void all() {
		cache.put("http://not/a/call", "x");
		broker.exchange("http://not/a/call", "b", "c", "d");
		rest.setInterceptors(null);
		rest.getMessageConverters().add(null);
	}
}

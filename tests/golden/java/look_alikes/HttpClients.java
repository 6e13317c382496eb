import java.net.http.HttpClient;
import java.net.URI;

class HttpClients {
	void all() {
		URI base = URI.create("http://not/a/call");
		HttpClient client = HttpClient.newBuilder().build();
		String host = base.getHost();
	}
}

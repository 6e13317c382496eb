package shop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import okhttp3.HttpUrl;
import org.springframework.web.util.UriComponentsBuilder;

class Depot {
	HttpClient http;
	String base;

	void text(String id) throws Exception {
		StringBuilder url = new StringBuilder(base);
		url.append("/crates/").append(id);
		url.append("/lines");
		if (id.isEmpty())
			url.append("/none");
		http.send(HttpRequest.newBuilder(URI.create(url.toString())).GET().build(), null);
	}

	void builder(String id) throws Exception {
		UriComponentsBuilder url = UriComponentsBuilder.fromHttpUrl(base);
		url.path("/pallets");
		url.pathSegment(id, "items");
		http.send(HttpRequest.newBuilder(url.build().toUri()).GET().build(), null);
	}

	void segments(String id) throws Exception {
		HttpUrl.Builder url = HttpUrl.parse(base).newBuilder();
		url.addPathSegment("trucks");
		url.addPathSegment(id);
		http.send(HttpRequest.newBuilder(url.build().uri()).GET().build(), null);
	}

	void sum(String id) throws Exception {
		String url = base + "/yards";
		url += "/" + id;
		http.send(HttpRequest.newBuilder(URI.create(url)).GET().build(), null);
	}
}

package shop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class Http {
	private final HttpClient client = HttpClient.newHttpClient();

	String get(String url) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
		return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	String post(String path, String body) throws Exception {
		HttpRequest request = HttpRequest.newBuilder()
			.uri(URI.create(Urls.ORDERS + path))
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build();
		return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
	}
}

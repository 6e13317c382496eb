package shop;

import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

class Http {
	private final OkHttpClient client = new OkHttpClient();

	Response get(String url) throws IOException {
		Request request = new Request.Builder().url(url).build();
		return client.newCall(request).execute();
	}

	Response post(String path, RequestBody body) throws IOException {
		return client.newCall(new Request.Builder().url(Urls.ORDERS + path).post(body).build()).execute();
	}
}

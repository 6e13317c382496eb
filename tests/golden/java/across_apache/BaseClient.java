package shop;

import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;

abstract class BaseClient {
	protected final CloseableHttpClient client = HttpClients.createDefault();

	protected CloseableHttpResponse fetch(String path) throws IOException {
		return client.execute(new HttpGet(Urls.USERS + path));
	}
}

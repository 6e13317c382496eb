package shop;

import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpRequest;

class Users {
	private final Http http = new Http();

	void all(String id) throws Exception {
		http.get(Urls.USERS + "/users/" + id);
		http.post("/orders", "{}");
		HttpRequest.newBuilder(URI.create(Urls.USERS + "/users/" + id)).DELETE().build();
		HttpURLConnection c = (HttpURLConnection) new URL(Urls.USERS + "/users").openConnection();
	}
}

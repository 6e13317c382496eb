package shop;

import okhttp3.OkHttpClient;
import okhttp3.Request;

class Users {
	private final Http http = new Http();
	private final OkHttpClient client = new OkHttpClient();

	void all(String id, RequestBody body) throws IOException {
		http.get(Urls.USERS + "/users/" + id);
		http.post("/orders", body);
		client.newCall(new Request.Builder().url(Urls.USERS + "/users/" + id).delete().build()).execute();
	}
}

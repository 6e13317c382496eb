package shop;

import org.apache.http.client.methods.HttpDelete;
import org.apache.http.client.methods.HttpPost;

class UsersClient extends BaseClient {
	void all(String id) throws IOException {
		fetch("/users/" + id);
		client.execute(new HttpDelete(Urls.USERS + "/users/" + id));
		client.execute(new HttpPost(Urls.ORDERS + "/orders"));
	}
}

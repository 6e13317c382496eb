import okhttp3.Request;

class OkHttps {
	Query q;

	void all() {
		new Query.Builder().url("http://not/a/call").build();
		q.newCall("http://not/a/call");
		Request r = null;
		r.url().toString();
	}
}

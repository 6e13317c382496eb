package shop;

import okhttp3.OkHttpClient;
import okhttp3.Request;

class Calls {
    static final String BASE = "http://users:8080";

    void all(String id, RequestBody body, Map<String, String> map, MockRequest mock) throws IOException {
        Request get = new Request.Builder().url(BASE + "/users/" + id).build();
        client.newCall(new Request.Builder()
            .url("http://orders/orders")
            .header("Accept", "application/json")
            .addHeader("X", "y")
            .post(body)
            .build()).execute();
        new Request.Builder().delete().url(BASE + "/users/" + id).build();
        new Request.Builder().url(BASE + "/users").method("PATCH", body).build();
        HttpUrl url = HttpUrl.parse(BASE).newBuilder().addPathSegment("users").addPathSegment(id)
            .addQueryParameter("a", "b").build();
        new Request.Builder().url(url).put(body).build();
        new Request.Builder().url(new HttpUrl.Builder().scheme("http").host("stock").addPathSegments("items/all").build());
        Request.Builder later = new Request.Builder();
        later.url("http://stock/items");
        new MockRequest.Builder().url("http://nothing/x").build();
        mock.url("http://nothing/y");
        map.get("http://nothing/z");
    }
}

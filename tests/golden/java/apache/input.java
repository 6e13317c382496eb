package shop;

import org.apache.http.client.methods.HttpGet;

class Calls {
    static final String BASE = "http://users:8080";

    void all(String id) throws Exception {
        HttpGet get = new HttpGet(BASE + "/users/" + id);
        HttpPost post = new HttpPost("http://orders/orders");
        client.execute(new HttpDelete(new URIBuilder("http://orders").setPath("/orders/" + id).build()));
        Request.Put("http://stock/items").bodyString("{}", JSON).execute();
        ClassicHttpRequest request = ClassicRequestBuilder.patch("http://stock/items/1").build();
        RequestBuilder.get().setUri("http://stock/items").build();
        new HttpGetter("http://nothing");
        new HttpHost("nothing", 80);
    }
}

package shop;

import io.micronaut.http.annotation.Get;
import io.micronaut.http.client.annotation.Client;

@Client("users")
interface Users {
    @Get("/users/{id}")
    User get(long id);
}

@Client(id = "orders", path = "/orders")
interface Orders {
    @Post
    void create(@Body Order order);

    @Delete(uri = "/{id}")
    void remove(long id);
}

class Calls {
    void all(HttpClient client) {
        client.toBlocking().retrieve(HttpRequest.GET("http://stock/items"));
        client.toBlocking().exchange(HttpRequest.POST("http://stock/items", item));
        request.GET("/nothing");
    }
}

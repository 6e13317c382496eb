import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Get;

interface MicronautClients {
    @Get("/not/a/call")
    String described();
}

class MicronautReader {
    void read(HttpRequest<?> request, Cache cache) {
        request.getPath();
        cache.GET("/not/a/call");
    }
}

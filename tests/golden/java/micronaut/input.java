package shop;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

@Controller("/users")
class UserController {
    static final String ONE = "/{id}";

    @Get
    List<User> list() { return map.get("/nothing"); }

    @Get(ONE)
    User get(long id) { return null; }

    @Post(uri = "/new", consumes = MediaType.APPLICATION_JSON)
    User create(@Body User user) { return user; }

    @Delete(uris = {"/{id}", "/by-id/{id}"})
    void remove(long id) { }

    @Getter
    void unrelated() { }
}

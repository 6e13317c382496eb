package app;

import org.springframework.web.bind.annotation.*;

@ApiController("the name of the bean")
public class Orders {
    @GetMapping("/orders/{id}")
    public String one(@PathVariable String id) { return ""; }
}

@VersionedController("/v2/users")
class Users {
    @GetMapping
    public String all() { return ""; }

    @PostMapping("/new")
    public String create() { return ""; }
}

@VersionedController(value = "/v3/things", path = "text/plain")
class Things {
    @DeleteMapping("/{id}")
    public void remove() {}
}

@VersionedController
class Plain {
    @PutMapping("/plain")
    public void put() {}
}

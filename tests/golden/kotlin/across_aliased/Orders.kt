package app

import org.springframework.web.bind.annotation.*

@ApiController("the name of the bean")
class Orders {
    @GetMapping("/orders/{id}")
    fun one(@PathVariable id: String) = ""
}

@VersionedController("/v2/users")
class Users {
    @GetMapping
    fun all() = ""
}

@VersionedController(value = "/v3/things", path = "text/plain")
class Things {
    @DeleteMapping("/{id}")
    fun remove() {}
}

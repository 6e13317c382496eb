@file:Suppress("unused")
package shop

import org.springframework.web.bind.annotation.*

@RestController
@RequestMapping("/users")
class Users {
    @PostMapping
    fun add() = 1
}

/** Orders. */
@Tag(name = "a (b", description = "c")
@RestController
@RequestMapping(
    "/orders",
)
class Orders {
    @GetMapping
    fun all() = 1
}

data class User(val name: String)

package shop

import org.springframework.cloud.openfeign.FeignClient
import org.springframework.web.bind.annotation.*

@FeignClient(name = Names.USERS, path = Names.API)
interface UsersClient {
    @GetMapping("/users/{id}")
    fun get(@PathVariable id: Long): User

    @PostMapping(Names.ADD)
    fun add(@RequestBody user: User): User
}

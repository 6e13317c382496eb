package shop

import org.springframework.web.bind.annotation.*

abstract class Crud<T>(private val service: Service<T>) {
    @GetMapping
    fun list(): List<T> = service.all()

    @GetMapping("/{id}")
    open fun get(@PathVariable id: Long): T = service.one(id)
}

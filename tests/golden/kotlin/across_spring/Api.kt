package app
import org.springframework.web.bind.annotation.*
import org.springframework.web.reactive.function.client.*
interface Api { @GetMapping("/api/a/{id}") fun a(@PathVariable id: String): String }
abstract class Crud<T> { @GetMapping("/{id}") fun one(@PathVariable id: String): T; @PostMapping fun add(@RequestBody t: T): T }

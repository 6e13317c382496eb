package app

import org.springframework.core.annotation.AliasFor
import org.springframework.web.bind.annotation.*

@RestController
@RequestMapping
annotation class VersionedController(
    @get:AliasFor(annotation = RequestMapping::class, attribute = "path") val value: String = "",
    @get:AliasFor(annotation = RequestMapping::class, attribute = "produces") val path: String = "",
)

@RestController
@RequestMapping("/api/v1")
annotation class ApiController(val value: String = "")

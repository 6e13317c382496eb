package shop
import org.springframework.core.annotation.AliasFor
import org.springframework.web.bind.annotation.*
@RequestMapping(path = ["/search"], method = [RequestMethod.GET, RequestMethod.POST])
annotation class Search
annotation class Audited(val value: String)

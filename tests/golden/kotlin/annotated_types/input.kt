package tide

import org.springframework.boot.context.properties.ConfigurationProperties

@ConfigurationProperties(prefix = "tide")
@Component
class Settings {
    var url: String = "http://pier"
    var berths: Int = 3
}

@Target(AnnotationTarget.FUNCTION)
@Retention(
    AnnotationRetention.RUNTIME,
)
annotation class Traced

@Marker
@Named("pilots")
object Pilots {
    val names = listOf("a")
}

@Marker
@Deprecated("old")
typealias Berth = Int

fun kinds(ships: List<Any>) = ships.map { ship -> ship::class }

fun sizes(ships: Map<String, Int>) {
    ships.forEach { (name, size) -> println(name + size) }
    when (val first = ships.keys.first()) {
        "" -> println(first)
    }
}

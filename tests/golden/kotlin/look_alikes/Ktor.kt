import io.ktor.server.application.*

fun ktorNot(map: Map<String, String>, settings: Settings) {
    map.get("/key")
    settings.put("/key", "value")
    val path = environment.config.property("/ktor/path")
}

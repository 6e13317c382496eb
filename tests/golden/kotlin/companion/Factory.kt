package f

class Config private constructor(val path: String) {
    companion object {
        const val DEFAULT = "x"
        @JvmStatic fun load(path: String = DEFAULT): Config = Config(path)
        fun empty() = load("")
    }
    fun reload(): Config = load(path)
}

object Registry {
    private val all = mutableListOf<Config>()
    fun register(c: Config) { all.add(c) }
}

enum class Mode { FAST, SLOW; fun next() = FAST }

fun Config.save() { reload() }

fun main() {
    val c = Config.load()
    Registry.register(c)
    c.reload().save()
    Mode.FAST.next()
}

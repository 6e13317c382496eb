package l

class Holder(val box: Box) {
    lateinit var late: Late
    var count = 0
    fun work(input: Input?, n: Int = 3) {
        val made = Maker()
        var later: Late? = null
        val (first, second) = made.pair()
        for (item in input!!.items) item.run()
        for ((k, v) in made.map()) v.go(k)
        val cast = made as Special
        val chosen = later ?: Late()
        made.list.forEach { each -> each.use() }
        made.apply { size() }
        box.items[0].touch()
        try { made.go() } catch (e: IllegalStateException) { e.show() }
        val fn = { p: Param -> p.call() }
        count += made.size()
        late = chosen
    }
    fun give() = Maker().build()
    fun giveBlock(): Late { return late }
}

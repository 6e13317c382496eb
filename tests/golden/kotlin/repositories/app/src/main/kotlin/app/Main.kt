package app

import org.kit.text.Mode
import org.kit.text.Parser as Reader
import org.kit.text.Registry
import org.kit.text.depth
import org.kit.text.label
import org.kit.text.toTree
import org.kit.text.build

class Special(n: Int) : Reader(n) {
    fun all(text: String, unknown: Any): Int {
        val tree = parse(text)
        tree.walk { it.child()?.walk {} }
        tree.depth()
        tree.label
        "x".toTree().child()
        Registry.find("a")?.parse("b")
        Tree().walk()
        5.depth()
        unknown.depth()
        build { child() }
        return Reader.LIMIT + Reader.of(2).size
    }
}

fun mode(): Mode = Mode.FAST

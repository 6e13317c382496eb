package org.kit.text

open class Parser(val size: Int) {
    fun parse(text: String): Tree = Tree(text)

    companion object {
        const val LIMIT = 3
        fun of(n: Int): Parser = Parser(n)
    }
}

class Tree(val name: String) {
    fun walk(block: (Tree) -> Unit) {}
    fun child(): Tree? = null
}

object Registry {
    fun find(name: String): Parser? = null
}

enum class Mode { FAST, SLOW }

fun Tree.depth(): Int = 1
val Tree.label: String get() = name
fun String.toTree(): Tree = Tree(this)
fun build(block: Tree.() -> Unit): Tree = Tree("")
typealias Handler = (Tree) -> Unit

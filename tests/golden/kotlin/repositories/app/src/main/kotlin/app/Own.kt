package app

class Tree {
    fun walk() {}
}

fun Int.depth(): Int = this

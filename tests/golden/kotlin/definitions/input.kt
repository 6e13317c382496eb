package com.acme.shop

import com.acme.db.UserRepo

/** Somebody who buys. */
data class User(val id: String, private var name: String, age: Int = 0) : Entity(id), Named {
    /* Shown in lists. */
    val label: String = "x"
    private val db by lazy { connect() }

    companion object {
        const val MAX = 3
        fun of(s: String): User = User(s, "a", 0)
    }

    constructor(id: String) : this(id, "", 0) { log(id) }

    init { setup() }

    /**
     * Says hello.
     */
    override fun greet(other: User?): List<String> {
        val local = other!!.id
        fun helper(x: Int) = x + 1
        return listOf(local)
    }

    private fun secret() {}

    enum class Level(val rank: Int) { LOW(1), HIGH(2); fun loud() = false }

    inner class Cursor {
        fun next() {}
    }
}

sealed interface Shape {
    fun area(): Double
    val sides: Int
}

fun interface Handler {
    fun handle(x: Int)
}

internal object Registry : Base<User>() {
    fun register(x: Any) {}
}

typealias Callback = (String) -> Unit

fun String.shout(): String = uppercase()

suspend fun <T : Any> load(id: String, block: (T) -> Unit) where T : Named {
    block(id as T)
}

const val TOP = "t"
private val (first, second) = pair()
annotation class Marker

@Test
fun `adds two numbers`() {
    assertEquals(3, 1 + 2)
}

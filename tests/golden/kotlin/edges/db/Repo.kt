package com.acme.db

interface Store<T> {
    fun save(x: T): Boolean
    fun close() {}
}

open class BaseRepo(val url: String) {
    open fun connect(): String = url
    protected fun log(s: String) { println(s) }
}

data class User(val id: String, val boss: User?) {
    fun label(): String = id
}

class UserRepo(url: String) : BaseRepo(url), Store<User> {
    override fun connect(): String = super.connect()

    override fun save(x: User): Boolean {
        log(x.label())
        this.connect()
        return true
    }

    fun find(id: String): User? = null

    companion object {
        const val LIMIT = 3
        fun open(): UserRepo = UserRepo("db")
    }
}

fun freeStanding(n: Int) = n

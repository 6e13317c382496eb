package com.acme.app

import com.acme.db.UserRepo
import com.acme.db.User as Person
import com.acme.db.freeStanding

class Service(private val repo: UserRepo) {
    private val spare = UserRepo("spare")

    fun run(id: String) {
        val u = repo.find(id)
        u?.label()
        repo.connect()
        spare.close()
        helper(u)
        freeStanding(UserRepo.LIMIT)
        UserRepo.open().save(Person("a", null))
        u!!.boss?.label()
    }

    private fun helper(p: Person?) {
        for (x in listOf(p)) println(x)
    }
}

fun main() {
    val s = Service(UserRepo.open())
    s.run("1")
}

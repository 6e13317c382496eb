package com.acme.shop

import com.acme.db.UserRepo
import com.acme.util.*
import java.util.UUID as Id

open class Service(private val repo: UserRepo, val name: String?) : Base(name), Named<User> {
    private val cache: Cache<String, User> = Cache()
    val size = cache.count()
    fun find(id: String): User? {
        val u = repo.load(id) ?: return null
        val (a, b) = split(u)
        for (x in u.orders) x.run()
        cache[id]!!.touch(this.name)
        u.let { it.save() }
        u.map { o -> o.price }
        helper(1, *args)
        Id.random()
        super.find(id)
        val h = u as Admin
        when (h) { is Owner -> h.go() }
        try { a() } catch (e: IOException) { e.log() }
        listOf<User>().forEach(::print)
        return u
    }
    fun make() = UserRepo("x", name = size)
    companion object { fun of(): Service = Service(UserRepo(), "") }
}
fun String.ext(n: Int) = n
@Inject fun top(cb: (Int) -> Unit, s: Service = Service.of()): List<Service> { cb(3); s.find("a")?.go(); return listOf(s) }
object Reg : Base(), Named

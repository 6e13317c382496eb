package shop

import io.vertx.ext.web.Router

class Not(private val cache: Map<String, String>) {
    fun a(router: Router) = router.toString()

    fun b() = cache.get("/not/a/route")

    // router.get("/not/a/route")
    val c = "router.get(\"/not/a/route\")"
}

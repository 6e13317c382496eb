import org.springframework.web.bind.annotation.GetMapping

interface Unused {
    @GetMapping("/unused")
    fun unused(): String
}

/* @GetMapping("/commented") */
class Plain { val text = "@GetMapping(\"/x\")" }

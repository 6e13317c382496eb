package shop

import org.springframework.cloud.stream.function.StreamBridge
import org.springframework.context.annotation.Bean
import java.util.function.Function

class Functions(private val bridge: StreamBridge, private val mailer: Mailer) {
    @Bean
    fun process(): Function<String, String> = Function { it }

    @Bean
    fun log(): (String) -> Unit = { println(it) }

    @Bean
    fun trim(): (String) -> String = { it.trim() }

    fun send(text: String) {
        bridge.send("mail-out-0", text)
        bridge.send(DIRECT, text)
        mailer.send("mail-out-0", text)
    }
}

import org.springframework.cloud.stream.function.StreamBridge

class Sender(private val bridge: StreamBridge, private val mailer: Mailer) {
    @Bean
    fun trim(): (String) -> String = { it.trim() }

    fun send(text: String) {
        bridge.send("mails", text)
        mailer.send("mails", text)
    }
}

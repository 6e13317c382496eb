import java.util.function.Function
import org.apache.kafka.clients.consumer.ConsumerRecord
import org.springframework.amqp.rabbit.core.RabbitTemplate
import org.springframework.kafka.core.KafkaTemplate

/* Senders of one's own beside the brokers'. */
class Topics(private val kafka: KafkaTemplate<String, String>, private val rabbit: RabbitTemplate, private val bridge: Bridge) {
    @Bean
    fun trim(): Function<String, String> = Function { it.trim() }

    fun all(feed: Feed, record: ConsumerRecord<String, String>) {
        bridge.send("orders", "x")
        feed.subscribe("orders")
        feed.convertAndSend("orders", "x")
        kafka.partitionsFor("orders")
        rabbit.setExchange("orders")
        println("kafka.send(\"orders\", 1) ${record.topic()}")
    }
}

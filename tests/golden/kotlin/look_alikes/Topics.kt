import org.apache.kafka.clients.consumer.ConsumerRecord
import org.springframework.amqp.rabbit.core.RabbitTemplate
import org.springframework.kafka.core.KafkaTemplate

class Topics(private val kafka: KafkaTemplate<String, String>, private val rabbit: RabbitTemplate, private val mailer: Mailer) {
    fun all(flow: Flow, record: ConsumerRecord<String, String>) {
        mailer.send("orders", "x")
        mailer.convertAndSend("orders", "x")
        flow.subscribe { all(flow, record) }
        flow.subscribe("orders")
        kafka.partitionsFor("orders")
        rabbit.setExchange("orders")
        val text = "kafka.send(\"orders\", 1)"
    }
}

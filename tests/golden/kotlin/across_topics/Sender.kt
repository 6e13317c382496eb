package shop

import org.springframework.amqp.rabbit.core.RabbitTemplate
import org.springframework.kafka.core.KafkaTemplate

class Sender(private val kafka: KafkaTemplate<String, String>, private val rabbit: RabbitTemplate) {
    fun send(text: String) {
        kafka.send(ORDERS, text)
        rabbit.convertAndSend(Queues.MAIL, text)
    }
}

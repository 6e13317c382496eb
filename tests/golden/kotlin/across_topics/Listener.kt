package shop

import org.springframework.amqp.rabbit.annotation.RabbitListener
import org.springframework.kafka.annotation.KafkaListener

class Listener {
    @KafkaListener(topics = [ORDERS], groupId = "shop")
    fun onOrder(text: String) {}

    @RabbitListener(queues = [Queues.MAIL])
    fun onMail(text: String) {}
}

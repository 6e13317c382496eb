package x
class A(private val kafka: KafkaTemplate<String, String>) {
    @KafkaListener(topics = ["orders"], groupId = "g")
    fun listen(m: String) {
        kafka.send("replies", m)
        other.send("x", m)
    }
    @RabbitListener(queues = ["q"])
    fun q(m: String) {}
}

const val topic = "orders"

fun poll(consumer: org.apache.kafka.clients.consumer.KafkaConsumer<String, String>) {
    consumer.subscribe(listOf(topic, "users"))
    consumer.apply { subscribe(listOf(topic)) }
    producer.send(ProducerRecord("users", "m"))
    mailbox.subscribe("x")
}

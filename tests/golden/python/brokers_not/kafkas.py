from kafka import KafkaConsumer, TopicPartition


class Mailer:
    def send(self, to, text):
        pass


def run(mailer: Mailer, feed, socket):
    mailer.send("orders", "x")
    socket.send("orders")
    feed.subscribe(["orders"])
    feed.produce("orders")
    TopicPartition("orders", 0)
    consumer = KafkaConsumer(group_id="g")
    consumer.unsubscribe()
    # consumer.subscribe(["orders"])

import pika
from kafka import KafkaConsumer, KafkaProducer
QUEUE = 'jobs'
channel.basic_consume(queue=QUEUE, on_message_callback=handle, auto_ack=True)
channel.basic_publish(exchange='', routing_key='jobs', body=b)
channel.basic_publish(exchange='logs', routing_key='', body=b)
channel.basic_publish('', 'jobs2', b)
consumer = KafkaConsumer('t1', 't2', bootstrap_servers='x')
producer = KafkaProducer()
producer.send('t1', b'x')
producer.send(topic='t2', value=b)
consumer.subscribe(['t3'])
sock.send('foo')
class A:
    def __init__(self):
        self.producer = Producer({})
        self.c = confluent_kafka.Consumer({})
    def go(self):
        self.producer.produce('t4', b'x')
        self.c.subscribe(['t4'])

import pika


def run(channel, bus, cart):
    bus.publish("orders", "x")
    bus.publish(routing_key="orders", body="x")
    cart.consume("orders")
    channel.queue_declare(queue="orders")
    channel.exchange_declare(exchange="events", exchange_type="topic")
    channel.basic_ack(delivery_tag=1)
    return "channel.basic_publish(exchange='', routing_key='orders')"

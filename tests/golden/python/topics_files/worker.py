import pika

import settings
from settings import QUEUE


def run(channel, handle):
    channel.basic_consume(queue=settings.QUEUE, on_message_callback=handle)


def send(channel, props, body):
    channel.basic_publish(exchange="", routing_key=QUEUE, body=body)
    channel.basic_publish(exchange="", routing_key=props.reply_to, body=body)

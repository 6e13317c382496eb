import os

import boto3
import nats
import pika
import redis
from celery import Celery

from names import CREATED, VOTES

app = Celery("shop")
r = redis.Redis()


@app.task(name="orders.ship")
def ship(order):
    return order


@app.task
def unnamed(order):
    return order


def vote(data):
    r.rpush(VOTES, data)
    r.publish("notifications", data)
    r.xadd("orders-stream", {"id": 1})
    r.get("votes")


def listen():
    pubsub = r.pubsub()
    pubsub.subscribe("notifications")
    r.blpop(VOTES)
    r.xreadgroup("group", "me", {"orders-stream": ">"})


async def subjects(nc):
    await nc.subscribe("orders.>", cb=listen)
    await nc.publish(CREATED, b"")


def amqp(channel):
    channel.queue_bind(exchange="events", queue="mine", routing_key=CREATED)
    channel.queue_bind(exchange="broadcast", queue="mine")
    channel.basic_publish(exchange="events", routing_key="orders.created", body=b"")


def cloud():
    sqs = boto3.client("sqs")
    sqs.send_message(QueueUrl=os.environ.get("ORDERS_QUEUE", "https://sqs.eu-west-1.amazonaws.com/1/orders"), MessageBody="x")
    sqs.receive_message(QueueUrl="https://sqs.eu-west-1.amazonaws.com/1/orders")
    boto3.client("sns").publish(TopicArn="arn:aws:sns:eu-west-1:1:shipped", Message="x")


def start():
    app.send_task("orders.ship", args=[1])
    ship.delay(1)


def look_alike(pages, events):
    pages.publish("home")
    events.subscribe(start)

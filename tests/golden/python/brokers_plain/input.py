import asyncio

import nats
import redis
from celery import Celery, shared_task, signature
from confluent_kafka import Consumer
from google.cloud import pubsub_v1

app = Celery("shop")
r = redis.Redis(host="redis")
publisher = pubsub_v1.PublisherClient()


@app.task(name="orders.ship")
def ship(order):
    return order


@shared_task(name="orders.bill")
def bill(order):
    return order


def start():
    app.send_task("orders.ship", args=[1])
    signature("orders.bill", args=[1]).delay()


def redis_all(cache: redis.Redis):
    r.publish("notifications", "x")
    r.rpush("votes", "x")
    cache.blpop("votes")
    cache.xadd("orders-stream", {"id": 1})
    r.xreadgroup("group", "me", {"orders-stream": ">"})
    pubsub = r.pubsub()
    pubsub.psubscribe("news.*")


async def nats_all():
    nc = await nats.connect("nats://nats:4222")
    await nc.subscribe("orders.>", cb=print)
    await nc.publish("orders.created", b"x")
    js = nc.jetstream()
    await js.publish("stock.low", b"x")
    await js.pull_subscribe("stock.*", "workers")


def cloud():
    publisher.publish(publisher.topic_path("project", "payments"), b"x")
    subscriber = pubsub_v1.SubscriberClient()
    subscriber.subscribe(subscriber.subscription_path("project", "payments"), callback=print)


def kafka_all():
    consumer = Consumer({})
    consumer.subscribe(["orders", "^audit-.*"])


asyncio.run(nats_all())

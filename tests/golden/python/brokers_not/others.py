import nats
import redis
from celery import Celery
from google.cloud import pubsub_v1, storage

app = Celery("shop")


class Bus:
    def publish(self, name, text):
        pass

    def subscribe(self, name):
        pass


@app.task
def unnamed(order):
    return order


def run(page, feed, connection, queue, client, db):
    bus = Bus()
    bus.publish("orders", "x")
    bus.subscribe("orders")
    page.publish("orders", "x")
    feed.subscribe("orders")
    connection.request("orders", b"x")
    client.publish("orders", b"x")
    queue.rpush("orders")
    db.lpush("orders", 1)
    redis.Redis().get("orders")
    app.control.purge()
    storage.Client().bucket("orders")
    inspect = __import__("inspect").signature(run)
    return inspect, nats, pubsub_v1

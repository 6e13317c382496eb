from clients import app, cache, consumer, producer
from names import CREATED, TOPIC, VOTES


@app.task(name=CREATED)
def created(order):
    return order


def run():
    app.send_task(CREATED)
    cache.rpush(VOTES, "x")
    cache.blpop(VOTES)
    producer.send(TOPIC, b"x")
    consumer.subscribe([TOPIC])
    consumer.subscribe(pattern="^" + CREATED)


def subjects(nats):
    nats.publish(CREATED, b"x")
    nats.subscribe(CREATED)

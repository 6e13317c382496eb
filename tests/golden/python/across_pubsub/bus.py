from google.cloud import pubsub_v1

from names import PROJECT, SUBSCRIPTION, TOPIC

publisher = pubsub_v1.PublisherClient()
subscriber = pubsub_v1.SubscriberClient()


def send(text):
    publisher.publish(publisher.topic_path(PROJECT, TOPIC), text)


def setup():
    topic = publisher.topic_path(PROJECT, TOPIC)
    subscription = subscriber.subscription_path(PROJECT, SUBSCRIPTION)
    subscriber.create_subscription(request={"name": subscription, "topic": topic})
    subscriber.create_subscription(name=subscription, topic=topic)


def listen():
    subscriber.subscribe(subscriber.subscription_path(PROJECT, SUBSCRIPTION), callback=print)

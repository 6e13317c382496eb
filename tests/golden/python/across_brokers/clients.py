import redis
from celery import Celery
from kafka import KafkaConsumer, KafkaProducer

app = Celery("shop")
cache = redis.Redis()
producer = KafkaProducer()
consumer = KafkaConsumer(group_id="g")

import os

PROJECT = "shop"
TOPIC = os.getenv("TOPIC", "payments")
SUBSCRIPTION = "payments-billing"

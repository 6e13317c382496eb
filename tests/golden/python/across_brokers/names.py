import os

PREFIX = "orders."
CREATED = PREFIX + "created"
VOTES = os.getenv("VOTES_LIST", "votes")
TOPIC = os.environ.get("ORDERS_TOPIC")

import os
class Config:
    USERS = os.environ.get("USERS_URL", "http://users:8080")
ORDERS_HOST = "orders"
ORDERS = f"http://{ORDERS_HOST}:9000"

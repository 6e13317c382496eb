import os

import httpx
import requests

ORDERS = os.environ.get("ORDERS_URL", "http://orders:8080")
USERS = os.getenv("USERS_URL") or "http://users"
client = httpx.Client(base_url="http://catalog:7000/v1")
session = requests.Session()


class Gateway:
    def __init__(self):
        self.base = "https://pay.example.com"

    def charge(self, order):
        return requests.post(f"{self.base}/charges/{order.id}", json={}, timeout=3)


def load(order_id, unknown):
    requests.get(f"{ORDERS}/orders/{order_id}?expand=1")
    requests.put("{}/users/{}".format(USERS, order_id))
    requests.delete("http://a:1/%s/x/%d" % (unknown, order_id))
    requests.request("PATCH", ORDERS + "/orders")
    requests.get(url=USERS + "/by-keyword")
    session.get(unknown)
    client.post("/products")
    httpx.get("http://catalog:7000/health")
    with requests.Session() as s:
        s.head("http://h/x")
    unknown.get("/nothing")
    os.environ.get("/nothing")

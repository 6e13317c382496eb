import httpx2
import niquests as http
from curl_cffi import requests


def orders():
    return httpx2.get("http://orders/orders")


def create(order):
    return http.post("http://orders/orders", json=order)


def remove(order_id):
    return requests.delete(f"http://orders/orders/{order_id}")

from http_client import Client
from http import users_get, Client as Http, session
from config import ORDERS

def user(id):
    return users_get(f"/users/{id}")

def order(id):
    return session.delete(f"{ORDERS}/orders/{id}")

def stock(id):
    return Http(ORDERS).call("PATCH", "/stock/%s" % id)

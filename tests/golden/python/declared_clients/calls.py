import requests
from elsewhere import Cache, Owner


def create(session: requests.Session, body):
    return session.post("/orders", json=body)


def cached(session: Cache):
    return session.get("/cached")


class Orders:
    def __init__(self, owner: Owner):
        self.owner = owner

    def create(self):
        cached(self.owner.cache)
        return create(self.owner.http, {})

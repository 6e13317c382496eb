from .base import ApiClient, fetch
from .names import USERS


class Users:
    def __init__(self):
        self.client = ApiClient(USERS)

    def one(self, user_id):
        return self.client.get(f"/users/{user_id}")

    def make(self, name):
        return self.client.post("/users", json={"name": name})


def health():
    return fetch(USERS + "/health")

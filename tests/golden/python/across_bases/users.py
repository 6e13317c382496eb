import requests
from client import Client


class Users:
    def __init__(self, client: Client):
        self.client = client

    def all(self):
        return self.client.send("users")


def late(base):
    base = base if base.endswith("/") else f"{base}/"
    return requests.delete(base + "late/users")


async def main():
    from session import Watcher

    await Watcher("stock").watch()

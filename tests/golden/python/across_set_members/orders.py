from client import Client, Request


class Orders:
    def __init__(self, client: Client):
        self.client = client

    def all(self):
        return self.client.get(Request("orders"))

    def rename(self, order_id):
        return self.client.put(Request(f"orders/{order_id}"))

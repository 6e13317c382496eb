from client import Client


class Orders(Client):
    def order(self, order_id):
        return self._make_request("get", f"/orders/{order_id}")

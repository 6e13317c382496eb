from base import BaseClient


class UsersClient(BaseClient):
    resource = "users"

    def __init__(self):
        super().__init__("http://users")

    def one(self, id):
        return self.fetch(f"/users/{id}")


class OrdersClient(BaseClient):
    resource = "orders"

    def __init__(self):
        super().__init__("http://orders")

    def one(self, id):
        return self.fetch(f"/orders/{id}")

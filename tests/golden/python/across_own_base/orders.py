import requests

from base import Resource


class Orders(Resource):
    def base(self):
        return "http://orders/orders"

    def all(self):
        return requests.get(self.path())

    def lines(self, order_id):
        return requests.get(self.path(order_id, "lines"))


class Users(Resource):
    def base(self):
        return "http://users/users"

    def all(self):
        return requests.get(self.path())

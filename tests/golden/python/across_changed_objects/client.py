import requests

class Api:
    def __init__(self, base):
        self.base = base

    def send(self, data):
        return requests.request(data["method"], data["url"])

    def orders(self):
        data = {}
        data["method"] = "GET"
        data["url"] = self.base + "/orders"
        return self.send(data)

    def users(self):
        data = {"method": "POST"}
        data.update({"url": self.base + "/users"})
        return self.send(data)

    def parts(self):
        data = dict(method="PUT")
        data.update(url=self.base + "/parts")
        return self.send(data)

    def things(self):
        kw = {}
        kw["method"] = "DELETE"
        kw["url"] = "http://shop/things"
        return requests.request(**kw)

    def add(self, data, path):
        data["url"] = self.base + path
        return self.send(data)

    def late(self):
        return self.add({"method": "PATCH"}, "/late")

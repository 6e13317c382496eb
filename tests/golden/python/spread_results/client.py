import requests


class Orders:
    def __init__(self, base):
        self.base = base

    def send(self, method, url):
        return requests.request(method, url)

    def params(self, method, path):
        return [method, self.base + "/api" + path]

    def perform(self, method, path):
        return self.send(*self.params(method, path))

    def list(self):
        return self.perform("GET", "/orders")

    def create(self):
        return self.perform("POST", "/orders")

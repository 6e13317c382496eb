import requests


class Client:
    def __init__(self, base):
        self.base = base

    def address(self, path):
        return f"{self.base}/api/v1/{path}"

    def request(self, method, path):
        return requests.request(method, self.address(path))

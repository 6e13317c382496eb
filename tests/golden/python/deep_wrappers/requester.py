import requests


class Requester:
    def __init__(self, base):
        self.base = base

    def _send(self, method, url):
        return requests.request(method, url)

    def _build(self, path, method):
        return self._send(method, self.base + path)

    def _execute(self, method, path):
        return self._build(path, method)

    def _retry(self, method, path):
        return self._execute(method, path)

    def _traced(self, method, path):
        return self._retry(method, path)

    def get(self, path):
        return self._traced("GET", path)

    def post(self, path):
        return self._traced("POST", path)

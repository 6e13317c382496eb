import httpx
import requests

BASE = "http://library/api"


class Transport:
    def __init__(self):
        self.session = requests.Session()
        self.put = self.session.put
        self.ask = self.session.request

    def send(self, function, path, body=None):
        url = BASE + path
        if function.__name__ == "get":
            return function(url)
        return function(url, json=body)

    def call(self, verb, path):
        return getattr(self.session, verb.lower())(BASE + path)

    def replace(self, number, body):
        return self.put(f"{BASE}/books/{number}", json=body)

    def search(self, words):
        return self.ask("GET", f"{BASE}/books/search", params=words)


VERBS = {"fetch": httpx.get, "store": httpx.post}


def by_table(action, path):
    return VERBS[action](BASE + path)


def by_condition(path, body):
    function = requests.post if body else requests.get
    return function(BASE + path)

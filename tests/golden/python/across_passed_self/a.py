import requests
class Client:
    def __init__(self, host):
        self.base = "/api/v1"
        self.plans = Plans(self)
    @property
    def root(self):
        return "/api/v2"
    def url(self, p):
        return "/api/v3" + p
class Plans:
    def __init__(self, client):
        self.client = client
    def one(self):
        return requests.get(self.client.base + "/plans")
    def two(self):
        return requests.get(f"{self.client.root}/plans")
    def three(self):
        return requests.get(self.client.url("/plans"))

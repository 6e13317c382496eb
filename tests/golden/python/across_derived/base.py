import requests


class BaseClient:
    resource = None

    def __init__(self, base_url):
        self.base_url = base_url

    def all(self):
        return requests.get(f"{self.base_url}/{self.resource}")

    def fetch(self, path):
        return requests.get(self.base_url + path)

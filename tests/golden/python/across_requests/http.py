import requests
from config import Config

session = requests.Session()

class Client:
    def __init__(self, base):
        self.base = base

    def call(self, method, path, **kw):
        return session.request(method, self.base + path, **kw)

def users_get(path):
    return session.get(Config.USERS + path)

import httpx
import requests


class Depot(requests.Session):
    def __init__(self, base):
        super().__init__()
        self.base = base


class Yard(httpx.AsyncClient):
    pass


class Shelf(dict):
    pass

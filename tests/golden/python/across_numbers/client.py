import requests

from versions import API_VERSION


class Depot:
    PAGE = 20

    def __init__(self, host):
        self.base = f"{host}/v{API_VERSION}"

    def parcels(self):
        return requests.get(f"{self.base}/parcels/{self.PAGE}/page")

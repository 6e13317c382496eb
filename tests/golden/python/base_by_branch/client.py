from urllib.parse import urljoin

import requests


class StockClient:
    def __init__(self, host, port, folder=None):
        if folder:
            self._base = "{}:{}/{}/api/".format(host, port, folder)
        else:
            self._base = "{}:{}/api/".format(host, port)

    def _get(self, path):
        return requests.get(urljoin(self._base, path))

    def entries(self, product):
        return self._get(f"products/{product}/entries")

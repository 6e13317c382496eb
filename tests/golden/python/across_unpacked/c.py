import requests


class Api:
    def _prepare(self, path, params):
        return "http://parcels/api" + path, params

    def _get(self, path, **params):
        url, params = self._prepare(path, params)
        return requests.get(url, params=params)

    def list(self):
        return self._get("/parcels")

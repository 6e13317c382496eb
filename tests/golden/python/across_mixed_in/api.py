import requests


class Transport:
    def _get(self, path):
        return requests.get("http://depot" + path)

    def _post(self, path, json=None):
        return requests.post("http://depot" + path, json=json)


class ParcelMixin:
    def parcels(self):
        return self._get("/api/parcels")

    def add(self, parcel):
        return self._post("/api/parcels", parcel)


class Unrelated:
    def other(self):
        return self._get("/not/a/call")


class Api(Transport, ParcelMixin):
    pass

import requests


class Transport:
    def send(self, verb, path, key=None):
        url = "http://parcels" + path
        if key is not None:
            url += "/" + key
        match verb:
            case "GET" | "LIST":
                return requests.get(url)
            case "POST":
                return requests.post(url)
            case _:
                return requests.put(url)


class Parcels(Transport):
    def list(self):
        return self.send("LIST", "/api/parcels")

    def create(self):
        return self.send("POST", "/api/parcels")

    def replace(self):
        return self.send("PUT", "/api/parcels", key="7")

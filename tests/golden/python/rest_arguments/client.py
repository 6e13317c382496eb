import requests


class Resource:
    ENDPOINT = ""

    def __init__(self, address):
        self.address = address
        self.session = requests.Session()

    def _path(self, *parts):
        if parts:
            return "v1/" + "/".join(parts)
        return "/"

    def request(self, *args, **kwargs):
        return self._request(endpoint=self._path(self.ENDPOINT, *args), method=kwargs.get("method"))

    def _request(self, method, endpoint):
        url = f"{self.address}/{endpoint}"
        method = method.lower()
        if method == "get":
            return self.session.get(url=url)
        elif method == "post":
            return self.session.post(url=url)


class Orders(Resource):
    ENDPOINT = "orders"

    def all(self):
        return self.request(method="get")

    def one(self, id):
        return self.request(id, method="get")

    def cancel(self, id):
        return self.request(id, "cancel", method="post")

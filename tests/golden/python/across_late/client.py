import httpx


class Client:
    def __init__(self, host, version=None):
        self.host = host
        self.api = None
        if version:
            self.api = f"https://stock/api/{version}"
        self.session = httpx.Client()

    def items(self):
        if self.api is None:
            self.api = f"https://stock/api/{self.detect()}"
        return self.session.get(f"{self.api}/items")

    def detect(self):
        return "v" + self.host

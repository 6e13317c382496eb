import httpx
from yarl import URL


class Handler:
    def __init__(self, host, version):
        self.base = URL.build(scheme="https", host=host)
        self.session = httpx.Client(timeout=3)
        self.api = self.base.joinpath("api").joinpath(version)

    def request(self, endpoint, method="GET"):
        url = self.api.joinpath(endpoint)
        return self.session.request(method, str(url))

    def ready(self, node):
        return self.session.get(self.base / "nodes" / node / "ready")

    def page(self, total, size):
        return self.session.get(f"https://stock/pages/{total / size}")

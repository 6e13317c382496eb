import httpx
import requests
from urllib.parse import urlparse, urlunsplit
from yarl import URL


class Client:
    def __init__(self, host, *, base_path="/control"):
        self.host = host
        self.base_path = base_path
        if self.base_path[-1] != "/":
            self.base_path += "/"

    def send(self, path):
        url = URL.build(scheme="http", host=self.host, path=self.base_path).join(URL(path))
        return requests.get(url)

    def parts(self):
        return requests.get(urlunsplit(("http", self.host, "/parts", "", "")))

    def other_path(self):
        url = urlparse("http://shop/old")._replace(path="/other").geturl()
        return requests.put(url)

    def copied(self):
        return requests.post(httpx.URL("http://shop/old").copy_with(path="/copied"))

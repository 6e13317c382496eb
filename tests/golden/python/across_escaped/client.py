import urllib.parse

import httpx


class Client:
    def __init__(self, base):
        self._api_url = base
        self._session = httpx.Client()

    def _make_request(self, method: str, path: str, **kwargs):
        escaped = urllib.parse.quote(path, safe="/", encoding=None)
        url = self._api_url + escaped
        return self._session.request(method, url, **kwargs)

import requests


class HTTP(object):
    def __init__(self, base):
        self.base = base
        self.session = None

    def start(self):
        self.session = requests.Session()

    def request(self, data, session=None):
        data = self._request(data)
        return self._requests(session or self.session or requests, data.pop("type", "GET"), **data)

    def _request(self, data):
        if "url" not in data:
            data["url"] = self.base + "/" + data.pop("handler", "")
        data["timeout"] = data.get("timeout") or 5
        data["url"] = self._replace(data["url"])
        return data

    def _replace(self, string):
        if "{UserId}" in string:
            string = string.replace("{UserId}", self.user)
        return string

    def _requests(self, session, action, **kwargs):
        if action == "GET":
            return session.get(**kwargs)
        elif action == "POST":
            return session.post(**kwargs)


class API:
    def __init__(self, client: HTTP):
        self.client = client

    def _http(self, action, url, request={}):
        request.update({"type": action, "handler": url})
        return self.client.request(request)

    def _get(self, handler, params=None):
        return self._http("GET", handler, {"params": params})

    def _post(self, handler, params=None):
        return self._http("POST", handler, {"params": params})

    def views(self):
        return self._get("Users/{UserId}/Views")

    def play(self, id):
        return self._post("Sessions/%s/Playing" % id)

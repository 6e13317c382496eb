class InternalMixin:
    def _http(self, action, url, request={}):
        request.update({"type": action, "handler": url})
        return self.client.request(request)

    def _get(self, handler, params=None):
        return self._http("GET", handler, {"params": params})


class BigMixin:
    def views(self):
        return self._get("Users/{UserId}/Views")


class API(InternalMixin, BigMixin):
    def __init__(self, client):
        self.client = client

from handler import Handler


class Actions:
    def __init__(self, handler: Handler):
        self.handler = handler

    def _get(self, path, item_id=None):
        endpoint = f"{path}{f'/{item_id}' if item_id else ''}"
        return self.handler.request(endpoint)


class Tags(Actions):
    def get(self, item_id=None):
        return self._get("tags", item_id=item_id)

    def put(self, item_id):
        return self.handler.request(f"tags/{item_id}", method="PUT")

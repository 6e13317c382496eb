import falcon


class Listed:
    def on_get(self, req, resp):
        resp.media = []


class Items(Listed):
    def on_post(self, req, resp):
        resp.status = falcon.HTTP_201


class Item:
    def on_delete(self, req, resp, item_id):
        resp.status = falcon.HTTP_204

import falcon


class Users:
    def on_get(self, req, resp, user_id=None):
        resp.media = cache.get("/nothing")

    def on_post(self, req, resp):
        pass

    def helper(self):
        pass


app = falcon.App()
users = Users()
app.add_route("/users", Users())
app.add_route("/users/{user_id:int}", Users())
table.add_route(1, 2)

import tornado.web
from tornado.web import url


class UserHandler(tornado.web.RequestHandler):
    def get(self, user_id):
        self.write(self.cache.get("/nothing"))

    @tornado.web.authenticated
    async def post(self, user_id):
        pass


class HomeHandler(tornado.web.RequestHandler):
    def get(self):
        pass


pair = ("/nothing", UserHandler())
named = [("name", HomeHandler)]


def make():
    return tornado.web.Application([
        (r"/", HomeHandler),
        (r"/users/([0-9]+)", UserHandler),
        url(r"/named/(?P<id>\w+)/?", UserHandler, name="x"),
        (r"/elsewhere", other.Handler),
    ])

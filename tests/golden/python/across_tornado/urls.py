from handlers.users import UserHandler, Health
from tornado.web import url
routes = [
    (r"/users/(?P<id>\d+)", UserHandler),
    url(r"/users/?", UserHandler, name="users"),
]

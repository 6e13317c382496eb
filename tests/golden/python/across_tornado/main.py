import tornado.web
from handlers import users
from urls import routes

app = tornado.web.Application(routes + [(r"/health", users.Health)])

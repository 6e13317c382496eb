from aiohttp import web
import views

PREFIX = "/api"

def setup_routes(app):
    app.router.add_get(PREFIX + "/users/{id}", views.user)
    app.add_routes([web.post(f"{PREFIX}/users", views.create)])

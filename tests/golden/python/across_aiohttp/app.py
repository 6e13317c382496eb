from aiohttp import web
from routes import setup_routes
from admin import admin

app = web.Application()
setup_routes(app)
app.add_subapp("/admin/", admin)

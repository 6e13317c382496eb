from aiohttp import web, ClientSession
CACHE = {}
def settings(app):
    app["config"] = CACHE.get("/config")
    CACHE.setdefault("/x", 1)
    web.json_response({"url": "/y"})
    app.get("/key")

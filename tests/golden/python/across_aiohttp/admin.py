from aiohttp import web
admin = web.Application()
routes = web.RouteTableDef()

@routes.get("/stats")
async def stats(request): ...

admin.add_routes(routes)

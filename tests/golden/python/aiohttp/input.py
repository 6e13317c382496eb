import aiohttp
from aiohttp import ClientSession, web

routes = web.RouteTableDef()
USERS = "http://users:8080"


@routes.get("/users/{id}")
async def user(request):
    return request.match_info.get("/nothing")


@routes.view("/carts")
class Cart(web.View):
    async def get(self):
        return None

    async def post(self):
        return None


@cache.get("/nothing")
async def cached(request):
    return None


async def health(request):
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{USERS}/users/1") as response:
            return await response.json()


class Gateway:
    def __init__(self, session: aiohttp.ClientSession):
        self._session = ClientSession(base_url="http://orders")
        self.other = session

    async def orders(self, session: ClientSession):
        await self._session.post("/orders", json={})
        await session.request("PATCH", "http://orders/x")
        await self.cache.get("/nothing")


def make():
    app = web.Application()
    app.add_routes([web.get("/health", health), web.view("/views", Cart), web.route("PUT", "/put", health)])
    app.router.add_get("/a", health)
    app.router.add_post(r"/a/{name:\d+}", health)
    app.router.add_route("*", "/any", health)
    app.router.add_view("/b", Cart)
    app.router.add_resource("/c").add_route("DELETE", health)
    app.router.add_static("/static", "dir")
    app["x"].get("/nothing")
    return app
